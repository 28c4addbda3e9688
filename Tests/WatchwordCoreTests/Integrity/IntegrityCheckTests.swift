import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct IntegrityCheckTests {
  /// Of `abc`, FIPS 180-4.
  private static let sha256 = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
  private static let sha512 =
    "sha-512=:3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==:"
  private static let wrong = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"

  private static func digests(_ text: String) -> [ExpectedDigest] {
    DigestField(text).map(ExpectedDigest.list) ?? []
  }

  private static func verdict(
    _ fields: [(String, String)], status: Int = 200, method: String = "GET", caller: String? = nil,
    continuation: PartialDownload.Continuation? = nil, body: String = "abc",
    trailers: [(String, String)] = [],
    file: String? = nil
  ) -> IntegrityCheck.Verdict? {
    let head = ResponseHead(status: status, headers: fields.map { HeaderField($0.0, $0.1) })
    guard
      var check = IntegrityCheck.begin(
        head, to: method, caller: caller.map(digests) ?? [], continuation: continuation)
    else { return nil }
    var body = body
    body.withUTF8 {
      guard !$0.isEmpty else { return }
      check.received(UnsafeRawBufferPointer($0))
      check.delivered(UnsafeRawBufferPointer($0))
    }
    let values = file.map { text in
      var hashes = BodyHashes(check.algorithmsOfFile)
      Array(text.utf8).withUnsafeBytes { hashes.update($0) }
      return hashes.finish()
    }
    return check.finish(trailers: trailers.map { HeaderField($0.0, $0.1) }, file: values)
  }

  private static func mismatch(
    _ source: IntegrityFault.Source, _ algorithm: IntegrityAlgorithm = .sha256
  ) -> IntegrityCheck.Verdict { .mismatch(IntegrityFault(expectedBy: source, algorithm: algorithm)) }

  @Test func nothingIsExpectedOfMostResponses() {
    #expect(Self.verdict([("Content-Type", "text/plain"), ("Trailer", "Expires")]) == nil)
    #expect(Self.verdict([("Repr-Digest", "md5=:YWJj:")]) == nil)
    #expect(Self.verdict([("Repr-Digest", "sha-256=nonsense")]) == nil)
  }

  @Test func everyDigestOfTheOriginMustMatch() {
    #expect(Self.verdict([("Repr-Digest", Self.sha256)]) == .verified)
    #expect(Self.verdict([("repr-digest", "\(Self.sha256), \(Self.sha512)")]) == .verified)
    #expect(Self.verdict([("Repr-Digest", "\(Self.wrong), \(Self.sha512)")]) == Self.mismatch(.origin))
    #expect(
      Self.verdict([("Repr-Digest", Self.sha256), ("Content-Digest", Self.wrong)]) == Self.mismatch(.origin))
    #expect(Self.verdict([("Repr-Digest", Self.sha512)], body: "abd") == Self.mismatch(.origin, .sha512))
    #expect(
      Self.verdict([("Repr-Digest", "sha-256=:YWJj:")]) == Self.mismatch(.origin), "of the wrong length")
    #expect(Self.verdict([("Repr-Digest", Self.sha256), ("Repr-Digest", Self.sha512)]) == .verified)
  }

  @Test func digestBehindTheBodyCountsWhenItWasAnnounced() {
    let announced = [("Trailer", "Expires, Repr-Digest")]
    #expect(Self.verdict(announced, trailers: [("Repr-Digest", Self.sha512)]) == .verified)
    #expect(Self.verdict(announced, trailers: [("Repr-Digest", Self.wrong)]) == Self.mismatch(.origin))
    #expect(Self.verdict(announced) == .unchecked, "announced and not sent")
    #expect(Self.verdict([("Trailer", "Expires")]) == nil, "another one was announced")
    #expect(
      Self.verdict(announced, method: "HEAD", body: "") == nil && Self.verdict(announced, status: 206) == nil)
  }

  @Test func bodyThatIsNotThereIsNotChecked() {
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], method: "HEAD", body: "") == nil)
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], status: 304, body: "") == nil)
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], method: "PUT", body: "") == .unchecked)
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], body: "") == Self.mismatch(.origin))
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], method: "PUT") == Self.mismatch(.origin))
  }

  @Test func representationOfAPartIsTheWhole() {
    #expect(Self.verdict([("Repr-Digest", Self.wrong)], status: 206) == nil)
    #expect(Self.verdict([("Content-Digest", Self.wrong)], status: 206) == Self.mismatch(.origin))
  }

  @Test func callersDigestCountsForSuccess() {
    #expect(Self.verdict([], caller: Self.sha256) == .verified)
    #expect(Self.verdict([], caller: "\(Self.sha256),\(Self.sha512)") == .verified)
    #expect(Self.verdict([], caller: Self.wrong) == Self.mismatch(.caller))
    #expect(Self.verdict([], status: 404, caller: Self.wrong) == nil)
    #expect(
      Self.verdict([("Repr-Digest", Self.wrong)], status: 404, caller: Self.sha256) == Self.mismatch(.origin))
  }

  @Test func fileThatWasContinuedIsCheckedAsAWhole() {
    let head = [("Repr-Digest", Self.sha256)]
    #expect(Self.verdict(head, status: 206, continuation: .continued, body: "c", file: "abc") == .verified)
    #expect(
      Self.verdict(head, status: 206, continuation: .continued, body: "c", file: "xbc")
        == Self.mismatch(.origin))
    #expect(Self.verdict(head, status: 206, continuation: .continued, body: "c") == .unchecked, "unreadable")
    #expect(
      Self.verdict([], status: 206, caller: Self.sha256, continuation: .continued, body: "c", file: "abc")
        == .verified)
    #expect(
      Self.verdict([], status: 206, caller: Self.sha256, continuation: .continued, body: "c")
        == Self.mismatch(.caller))
    #expect(
      Self.verdict([], status: 416, caller: Self.sha256, continuation: .complete, body: "", file: "abc")
        == .verified)
    #expect(Self.verdict([], caller: Self.sha256, continuation: .restarted) == .verified)
    #expect(
      Self.verdict([], status: 203, caller: Self.sha256, continuation: .discarded, body: "x")
        == Self.mismatch(.caller), "the file was not changed, and was not checked")
  }
}
