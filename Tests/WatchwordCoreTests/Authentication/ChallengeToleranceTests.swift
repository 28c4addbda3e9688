import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Challenges slightly outside the grammar, as deployed servers send them (challenges.md 6.1 and 6.3).
@Suite struct ChallengeToleranceTests {
  private static func read(_ fields: String...) -> OfferSelection.Reading {
    var policy = MethodPolicy()
    policy.order = .server
    return OfferSelection.read(fields.map { OctetString($0) }, policy: policy)
  }

  /// `method name=<value> …` of the offers, parted by ` | `.
  private static func offers(_ reading: OfferSelection.Reading) -> String {
    reading.offers.map { offer in
      ([offer.authenticationMethod.rawValue]
        + offer.parameters.sorted { $0.name < $1.name }.map { "\($0.name)=<\($0.value)>" })
        .joined(separator: " ")
    }.joined(separator: " | ")
  }

  private static func unusable(_ reading: OfferSelection.Reading) -> [String] {
    reading.unusable.listed.map { "\($0.scheme) \($0.reason.rawValue)" }
  }

  /// With one reading: every challenge is one on its own.
  static let tolerated: [(field: String, offers: String)] = [
    (#"Basic realm="security" charset="UTF-8""#, "basic charset=<UTF-8> realm=<security>"),
    (#"ApiKey realm="a", Basic realm="security" charset="UTF-8""#, "basic charset=<UTF-8> realm=<security>"),
    ("Basic realm='two words'", "basic realm=<'two words'>"),
    ("Basic", "basic"),
    ("Basic realm=", "basic"),
    ("Basic realm=two words", "basic"),
    (#"Basic realm="x"; charset="UTF-8""#, "basic charset=<UTF-8> realm=<x>"),
    ("Basic realm=x;charset=UTF-8", "basic charset=<UTF-8> realm=<x>"),
    (#"Basic; realm="x""#, "basic realm=<x>"),
    (#"Digest realm="r", nonce="n", qop="""#, "digest nonce=<n> qop=<> realm=<r>"),
    ("Digest realm=r, nonce=YWJj==, qop=auth", "digest nonce=<YWJj==> qop=<auth> realm=<r>"),
    (
      "Bearer authorization_uri=https://login.test/t;v=2/authorize?a=b",
      "bearer authorization_uri=<https://login.test/t;v=2/authorize?a=b>"
    ),
    (
      "Bearer authorization_uri=https://login.test/authorize; resource_id=https://api.test/",
      "bearer authorization_uri=<https://login.test/authorize> resource_id=<https://api.test/>"
    ),
    ("Bearer scope=read write", "bearer"),
  ]

  @Test(arguments: tolerated.indices)
  func whatHasOneReadingIsRead(index: Int) {
    let (field, offers) = Self.tolerated[index]
    #expect(Self.offers(Self.read(field)) == offers, "\(field)")
  }

  /// None takes in what stands before or behind it, and none brings another one along.
  @Test(arguments: tolerated.indices)
  func neighboursStayAsTheyAre(index: Int) {
    let (field, offers) = Self.tolerated[index]
    let first = #"Digest realm="first", nonce="1""#
    let last = #"Basic realm="last", charset="UTF-8""#
    let expected = [
      "digest nonce=<1> realm=<first>", offers, "basic charset=<UTF-8> realm=<last>",
    ].joined(separator: " | ")
    #expect(Self.offers(Self.read("\(first), \(field), \(last)")) == expected, "\(field)")
    #expect(Self.offers(Self.read(first, field, last)) == expected, "\(field)")
  }

  @Test(arguments: tolerated.indices)
  func whatIsQuotedIsNoChallenge(index: Int) {
    let quoted = Self.tolerated[index].field.replacing("\"", with: #"\""#)
    let reading = Self.read(#"Bearer a="\#(quoted), b", c="\#(quoted)""#)
    #expect(reading.offers.map(\.authenticationMethod) == [.bearer] && reading.unusable.count == 0)
  }

  /// What stays unreadable is named.
  static let unreadable: [(field: String, offers: String, unusable: [String])] = [
    (#"Digest realm="r", nonce="n"#, "", ["Digest unclosedQuote"]),
    (#"Basic realm="x, Digest realm="y", nonce="n""#, "basic", []),
    (#"DIGEST realm="r", nonce="n"x, Basic realm="y""#, "basic realm=<y>", ["DIGEST malformed"]),
    (#"Digest realm=two words, nonce="n", Basic realm="y""#, "basic realm=<y>", ["Digest malformed"]),
    (#"Digest realm='two words', nonce="n""#, "", ["Digest malformed"]),
    (#"Digest realm="r", nonce="n" "x, Basic realm="y""#, "", ["Digest unclosedQuote"]),
    (#"=x, Basic realm="y""#, "basic realm=<y>", [" malformed"]),
    (#"realm=x, Basic realm="y""#, "basic realm=<y>", [" malformed"]),
    (#"Basic/2 realm="x", nonce="n", Basic"#, "basic", ["Basic malformed"]),
    (#"Basic, Digest/2 realm="x", nonce="n""#, "basic", ["Digest malformed"]),
    (#"Digest realm="a", realm="b", nonce="n""#, "", ["Digest repeatedParameter"]),
    ("Digest YWJj", "", ["Digest unexpectedToken"]),
    ("Digest nonce=n", "", ["Digest missingRealm"]),
    ("Digest realm=r", "", ["Digest missingNonce"]),
    ("Digest realm=r, nonce=n, algorithm=SHA-3", "", ["Digest unknownAlgorithm"]),
    ("Digest realm=r, nonce=n, qop=auth-conf", "", ["Digest unknownQop"]),
    (#"Digest realm=r, nonce=n, algorithm=MD5-sess, qop="""#, "", ["Digest unknownQop"]),
    ("Hawk, NTLM, Negotiate ***", "", ["Hawk unknownMethod", "NTLM disabled", "Negotiate malformed"]),
  ]

  @Test(arguments: unreadable.indices)
  func whatIsNotReadIsNamed(index: Int) {
    let (field, offers, unusable) = Self.unreadable[index]
    let reading = Self.read(field)
    #expect(Self.offers(reading) == offers, "\(field)")
    #expect(Self.unusable(reading) == unusable, "\(field)")
  }

  @Test func theListIsBounded() {
    let reading = Self.read(String(repeating: "New, ", count: 2000) + String(repeating: "N", count: 200))
    #expect(reading.unusable.listed.count == 16 && reading.unusable.count == 2001)
    #expect(UnusableOffer(scheme: String(repeating: "N", count: 200), reason: .malformed).scheme.count == 64)
  }
}
