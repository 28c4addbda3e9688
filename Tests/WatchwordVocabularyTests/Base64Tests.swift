import Testing
import WatchwordVocabulary

@Suite struct Base64Tests {
  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]) func theExamplesOfTheSpecification(_ plain: String, _ text: String) {
    #expect(Base64.decode(text) == Array(plain.utf8))
    #expect(Base64.encode(Array(plain.utf8)) == text)
  }

  @Test func everyByteComesThrough() {
    for length in 0...300 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
      let text = Base64.encode(bytes)
      #expect(text.utf8.count == Base64.encodedCount(of: length))
      #expect(Base64.decode(text) == bytes)
    }
    #expect(Base64.decode("+/+/") == [0xFB, 0xFF, 0xBF])
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm8", "Zm9vY", "Zg===", "Zg====", "=", "==", "====", "A===", "=AAA", "A=AA", "AA=A",
    "Zg==Zg==", "Zm8=Zm9v", "Zg==\n", " Zg==", "Zm\n9v", "Zm9v\r\n", "Zm-_", "Zm9é", "Zm9\u{0}", "Zh==",
    "Zm9=",
    "Zg==Z", "Zm9v====", "Ｚg==",
  ]) func whatIsNotExactlyBase64IsRefused(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
