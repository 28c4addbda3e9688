/// The `quoted-string` of header fields (RFC 9110 §5.6.4).
package enum QuotedString {
  @inlinable package static func needsBackslash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Bytes of the text between the quotes.
  package static func count(of text: String) -> Int {
    text.utf8.reduce(0) { $0 + (needsBackslash($1) ? 2 : 1) }
  }

  /// Passes the text between the quotes to `append`, byte by byte.
  @inlinable @inline(__always)
  package static func write(_ text: some Sequence<UInt8>, to append: (UInt8) -> Void) {
    for byte in text {
      if needsBackslash(byte) { append(UInt8(ascii: "\\")) }
      append(byte)
    }
  }

  /// Reads the string whose opening quote is at `position`, and moves past its closing one.
  ///
  /// - Returns: The text without quotes and backslashes; nil when it has no end, or a control character
  ///   except the tab.
  package static func read(_ bytes: [UInt8], at position: inout Int) -> ArraySlice<UInt8>? {
    position += 1
    var value: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return value[...]
      case UInt8(ascii: "\\"):
        guard position < bytes.count, isQuotable(bytes[position]) else { return nil }
        value.append(bytes[position])
        position += 1
      default:
        guard isQuotable(byte) else { return nil }
        value.append(byte)
      }
    }
    return nil
  }

  private static func isQuotable(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }
}
