import Testing
import WatchwordCore

@Suite struct DigestFieldTests {
  @Test func membersAreReadInTheirOrder() throws {
    let field = try #require(DigestField("sha-256=:YWJj:, md5=:ZA==:;a;b=\"x,y\\\"\", sha-512=::"))
    #expect(field.members.map(\.algorithm) == ["sha-256", "md5", "sha-512"])
    #expect(field.members.map(\.value) == [Array("abc".utf8), Array("d".utf8), []])
  }

  @Test func lastOfTwoCounts() throws {
    let field = try #require(DigestField("sha-256=:YWJj:,sha-256=:ZA==:"))
    #expect(field.members.map(\.value) == [Array("d".utf8)])
  }

  /// As many as a head of the largest size holds; each is compared with none of the others.
  @Test func manyMembersAreReadInOnePass() throws {
    let many = (0..<30_000).map { "a\($0)=:YQ==:" }.joined(separator: ",")
    let field = try #require(DigestField(many + ",a0=:Yg==:"))
    #expect(field.members.count == 30_000)
    #expect(field.members.first?.value == Array("b".utf8))
  }

  @Test func unknownAlgorithmSaysNothing() throws {
    let field = try #require(DigestField("md5=:YWJj:, sha-512=:ZA==:"))
    #expect(ExpectedDigest.list(in: field).map(\.algorithm) == [.sha512])
  }

  @Test(arguments: [
    "", " ", "sha-256", "sha-256=", "sha-256=YWJj", "sha-256=:YWJj", "sha-256=:YW Jj:", "sha-256=:YWJ:",
    "=:YWJj:",
    "SHA-256=:YWJj:", "sha-256=:YWJj:,", "sha-256=:YWJj: sha-512=:ZA==:", "sha-256=:YWJj:;",
    "sha-256=:YWJj:;a=",
    "sha-256=:YWJj:;a=\"x", "1=:YWJj:", ",",
  ])
  func malformedFieldIsNone(text: String) { #expect(DigestField(text) == nil) }

  @Test(arguments: [("sha-256=:YWJj:", false), ("sha-256=:\(String(repeating: "A", count: 43))=:", true)])
  func aDigestHasTheLengthOfItsAlgorithm(_ text: String, _ hasItsLength: Bool) throws {
    let digests = ExpectedDigest.list(in: try #require(DigestField(text)))
    #expect(digests.map(\.hasItsLength) == [hasItsLength])
  }
}
