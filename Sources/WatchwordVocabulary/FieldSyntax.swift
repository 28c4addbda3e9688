/// The syntax of header fields and request lines; checked on input and again on output.
package enum FieldSyntax {
  /// Bytes of a name; the longest registered one has 43.
  private static let maximumTokenBytes = 256

  /// `token` of RFC 9110 §5.6.2, bounded.
  package static func isToken(_ text: String) -> Bool {
    (1...maximumTokenBytes).contains(text.utf8.count) && text.utf8.allSatisfy(isTokenCharacter)
  }

  /// A field's value (RFC 9110 §5.5): no control characters except the tab, which ends no line (CVE-2020-11008).
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy(isValueByte)
  }

  package static func isValueByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

  /// `tchar`.
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
