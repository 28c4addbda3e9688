import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct CertificateTextTests {
  @Test(arguments: [
    ("CN=Zoë", "CN=Zoë"), ("a\u{7}b", #"a\07b"#), ("a\u{85}b", #"a\C2\85b"#),
    ("a\u{202e}b", #"a\E2\80\AEb"#), ("a\u{2028}b", #"a\E2\80\A8b"#), ("a\nb", #"a\0Ab"#), ("", ""),
  ])
  func controlCharactersAreEscaped(_ text: String, _ shown: String) {
    #expect(CertificateText.shown(text.utf8) == shown)
  }

  @Test func whatIsTooLongEndsAtACharacter() {
    let text = CertificateText.shown(String(repeating: "é", count: 10_000).utf8)
    #expect(text.hasSuffix("é…"))
    #expect(text.utf8.count <= CertificateText.maximumBytes + "…".utf8.count)
    let escapes = CertificateText.shown(Array(repeating: 7, count: 10_000))
    #expect(escapes.hasSuffix(#"\07…"#))
  }
}
