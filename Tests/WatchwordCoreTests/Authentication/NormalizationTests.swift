import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// `charset=UTF-8`: user and password in Normalization Form C (RFC 7616 §4, RFC 7617 §2.1).
struct NormalizationTests {
  private static let composed = "J\u{E4}s\u{F8}n"
  private static let decomposed = "Ja\u{308}s\u{F8}n"

  @Test(
    arguments: [
      ("", ""), ("plain", "plain"), (decomposed, composed), (composed, composed), ("e\u{301}", "\u{E9}"),
      // The most that one character becomes, a Kelvin sign, and Hangul.
      ("\u{1D160}", "\u{1D158}\u{1D165}\u{1D16E}"), ("\u{212A}", "K"),
      ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ])
  func textsAreComposed(_ text: String, _ expected: String) {
    #expect(Array(Normalization.composed(text).utf8) == Array(expected.utf8))
    #expect(Normalization.composed(secret(text)) == secret(expected))
  }

  @Test func manyCharactersThatGrowFit() {
    let text = String(repeating: "\u{1D160}", count: 2000)
    #expect(Normalization.composed(secret(text)).count == 24_000)
    // More marks on one letter than in any language.
    let marked = "e" + String(repeating: "\u{301}", count: 2000)
    #expect(Normalization.composed(marked).utf8.count < marked.utf8.count)
  }

  @Test(arguments: [[0xE9], [0x61, 0xFF, 0x62], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func whatIsNotUTF8Stays(_ bytes: [UInt8]) {
    #expect(Normalization.composed(Secret(bytes)) == Secret(bytes))
  }

  private func digestField(_ user: String, _ challenge: String) throws -> [String: String] {
    let challenge = try #require(digestChallenge(challenge))
    var authenticator = try #require(
      DigestAuthenticator(challenge: challenge, user: user, password: secret(user)))
    let made = try authenticator.authorization(method: "GET", target: "/", clientNonce: "c")
    return digestParameters(text(of: made.value))
  }

  @Test(arguments: ["", ", userhash=true"])
  func digestComposesForUTF8Only(_ also: String) throws {
    let utf8 = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256, charset=UTF-8"# + also
    #expect(try digestField(Self.decomposed, utf8) == digestField(Self.composed, utf8))
    let plain = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"# + also
    #expect(try digestField(Self.decomposed, plain) != digestField(Self.composed, plain))
  }

  private func basic(_ field: String, _ user: String) throws -> String {
    let offer = try #require(OfferSelection.offers(in: [field], policy: MethodPolicy()).first)
    let credential = TaskScene.password(user, user: user)
    guard case .fixed(let value) = try Authenticator(offer: offer, credential: credential) else { return "" }
    return text(of: value)
  }

  @Test func basicComposesForUTF8Only() throws {
    for charset in ["UTF-8", "utf-8"] {
      let utf8 = #"Basic realm="r", charset="\#(charset)""#
      #expect(try basic(utf8, Self.decomposed) == basic(utf8, Self.composed))
    }
    let plain = #"Basic realm="r""#
    #expect(try basic(plain, Self.decomposed) != basic(plain, Self.composed))
  }
}
