import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct ChallengeBoundsTests {
  private let small = #"Basic realm="x""#

  /// A header block holds 128 KiB; twenty times as much is read without quadratic work.
  @Test(.timeLimit(.minutes(1))) func everyChallengeOfAResponseIsReadInLinearTime() {
    let count = 200_000
    let field = (0..<count).map { "Basic realm=\($0)" }.joined(separator: ",")
    let offers = OfferSelection.offers(in: [field, small], policy: MethodPolicy())
    #expect(offers.count == count + 1)
    #expect(offers.last?.realm == "x")
    var history = OfferHistory()
    let noted = history.note(
      offers, from: Origin(scheme: .https, host: "a.test", port: 443), strongestOnly: false)
    #expect(noted.allowed.count == offers.count)
  }

  @Test(.timeLimit(.minutes(1))) func everyParameterIsReadInLinearTime() {
    let count = 400_000
    let many = "New " + (0..<count).map { "p\($0)=v" }.joined(separator: ",")
    let challenges = ChallengeHeaderParser.parse([many + ", " + small])
    #expect(challenges.map(\.parameters.count) == [count, 1])
    #expect(ChallengeHeaderParser.parse(["New a=b, c=d, A=e, " + small]).map(\.scheme) == ["basic"])
  }

  @Test func aPartMayBeAsLongAsTheHeaderBlock() {
    let text = String(repeating: "a", count: 131_072)
    for field in [text + " a=b", "New \(text)=b", "New a=\"\(text)\"", "New a=\(text)", "New \(text)"] {
      #expect(ChallengeHeaderParser.parse([field + ", " + small]).count == 2)
    }
    let offers = OfferSelection.offers(in: ["Digest realm=\"\(text)\", nonce=n"], policy: MethodPolicy())
    #expect(offers.map(\.realm) == [OctetString(text)])
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
