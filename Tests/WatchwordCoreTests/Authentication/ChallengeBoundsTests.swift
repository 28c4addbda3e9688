import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct ChallengeBoundsTests {
  private let small = #"Basic realm="x""#

  /// A header block holds 128 KiB; ten times as much is read without quadratic work.
  /// Those of other methods count for nothing, wherever they are.
  @Test(.timeLimit(.minutes(1))) func sixtyFourChallengesThatCanBeOffersAreRead() {
    let others = OctetString((0..<50_000).map { "New realm=\($0), a=b" }.joined(separator: ","))
    let field = OctetString((0..<100_000).map { "Basic realm=\($0)" }.joined(separator: ","))
    let reading = OfferSelection.read(
      [others, OctetString(small), field, others, "Negotiate YWJj, NTLM"], policy: MethodPolicy())
    #expect(reading.offers.map(\.realm) == ["x"] + (0..<63).map { OctetString("\($0)") })
    #expect(reading.unread == [.basic, .negotiate] as Set<AuthenticationMethod>)
    let all = ChallengeHeaderParser.read([field, others])
    #expect(all.challenges.count == 64 && all.unread == ["basic": 99_936, "new": 50_000])
  }

  @Test(.timeLimit(.minutes(1))) func aChallengeHasABoundedNumberOfParameters() {
    func read(_ count: Int) -> OfferSelection.Reading {
      let digest = "Digest realm=r, nonce=n" + (2..<count).map { ", p\($0)=v" }.joined()
      return OfferSelection.read([OctetString(digest + ", " + small)], policy: MethodPolicy())
    }
    #expect(read(128).offers.map(\.parameters.count) == [128, 1] && read(128).unread.isEmpty)
    for count in [129, 100_000] {
      #expect(read(count).offers.map(\.authenticationMethod) == [.basic])
      #expect(read(count).unread == [.digest] as Set<AuthenticationMethod>)
    }
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
