import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct SensitiveFieldsTests {
  private let fields = [
    HeaderField("AUTHORIZATION", "Bearer a"), HeaderField("Cookie", "b=1"), HeaderField("Cookie", "c=2"),
    HeaderField("X-Key", "d"), HeaderField("Accept", "e"),
  ]

  @Test func theValuesOfSecretFieldsAreHidden() {
    let hidden = SensitiveFields.hidden(in: fields, and: ["x-key"])
    #expect(hidden.map(\.name) == fields.map(\.name))
    #expect(hidden.map(\.value) == ["<secret>", "<secret>", "<secret>", "<secret>", "e"])
  }

  @Test func whatIsGivenBackAsItWasShownIsWhatItWas() {
    let hidden = SensitiveFields.hidden(in: fields, and: ["x-key"])
    #expect(SensitiveFields.restored(in: hidden, from: fields) == fields)
  }

  @Test func whatIsGivenAgainStays() {
    let given = [HeaderField("cookie", "z=9"), HeaderField("New", "n"), HeaderField("x-key", "<secret>")]
    #expect(
      SensitiveFields.restored(in: given, from: fields) == [given[0], given[1], HeaderField("x-key", "d")])
  }

  /// A redirect to another origin has dropped the field: it does not come back, and its stand-in is not sent.
  @Test func aPlaceholderForNothingIsDropped() {
    let hidden = SensitiveFields.hidden(in: fields)
    let left = [HeaderField("X-Key", "d"), HeaderField("Accept", "e")]
    #expect(SensitiveFields.restored(in: hidden, from: left) == left)
  }

  /// Of a credential the scheme stays, and only one that is no part of a secret.
  @Test(arguments: [
    ("Authorization", "Basic c2VudGluZWw=", "Basic <secret>"),
    ("authorization", "NTLM TlRM", "NTLM <secret>"),
    ("Proxy-Authorization", "Negotiate YII=", "Negotiate <secret>"),
    ("AUTHORIZATION", "Digest username=\"reader\"", "Digest <secret>"),
    ("Authorization", "Bearer", "<secret>"), ("Authorization", "sentinel token", "<secret>"),
    ("Authorization", "", "<secret>"), ("Cookie", "Basic x", "<secret>"), ("X-Mine", "Basic x", "<secret>"),
    ("X-Open", "Basic x", "Basic x"),
  ])
  func aSentFieldIsShownWithoutItsSecret(name: String, value: String, shown: String) {
    #expect(
      SensitiveFields.shown(HeaderField(name, value), and: ["x-mine"]) == HeaderField(name, shown))
  }

  @Test func aSentValueThatIsNotUTF8IsNotShown() {
    let field = HeaderField("X-Open", given: [0x63, 0xE9])
    #expect(SensitiveFields.shown(field) == HeaderField("X-Open", "<secret>"))
  }
}
