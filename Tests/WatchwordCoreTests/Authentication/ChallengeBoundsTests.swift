import Testing
import WatchwordCore

@Suite struct ChallengeBoundsTests {
  private let small = #"Basic realm="x""#

  @Test func challengesOfAResponseAreBounded() {
    let field = Array(repeating: "A b=c", count: 20).joined(separator: ",")
    let challenges = ChallengeHeaderParser.parse(Array(repeating: field, count: 1000))
    #expect(challenges.count == ChallengeHeaderParser.maximumChallenges)
  }

  @Test func challengeOfTooManyParametersIsLeftOut() {
    for count in [ChallengeHeaderParser.maximumParameters, ChallengeHeaderParser.maximumParameters + 1] {
      let many = "New " + (0..<count).map { "p\($0)=v" }.joined(separator: ", ")
      let schemes = ChallengeHeaderParser.parse([many + ", " + small]).map(\.scheme)
      #expect(schemes == (count > ChallengeHeaderParser.maximumParameters ? ["basic"] : ["new", "basic"]))
    }
  }

  @Test func challengeOfAnOverlongPartIsLeftOut() {
    func text(_ count: Int) -> String { String(repeating: "a", count: count) }
    let name = ChallengeHeaderParser.maximumNameBytes
    let value = ChallengeHeaderParser.maximumValueBytes
    let token = ChallengeHeaderParser.maximumTokenBytes
    for extra in [0, 1] {
      let fields = [
        text(name + extra) + " a=b", "New \(text(name + extra))=b", "New a=\"\(text(value + extra))\"",
        "New a=\(text(value + extra))", "New \(text(token + extra))",
      ]
      for field in fields {
        let challenges = ChallengeHeaderParser.parse([field + ", " + small])
        #expect(challenges.count == 2 - extra)
        #expect(challenges.last?.scheme == "basic")
      }
    }
  }

  @Test func realmOfManyKilobytesIsNoOffer() {
    let field = "Digest realm=\"\(String(repeating: "A", count: 33_792))\", nonce=\"n\""
    #expect(OfferSelection.offers(in: [field], policy: MethodPolicy()).isEmpty)
  }

  @Test func everyPrefixOfAFieldIsRead() {
    let field = #"Digest realm="a\"b", qop="auth, auth-int", nonce=x, Negotiate YWJj==, Basic realm = "y""#
    let bytes = Array(field.utf8)
    for count in 0...bytes.count {
      let challenges = ChallengeHeaderParser.parse([String(decoding: bytes[..<count], as: UTF8.self)])
      #expect(challenges.count <= 3)
    }
  }
}
