/// Bytes as hexadecimal digits, two for each (RFC 4648 §8).
///
/// Digits are computed, not looked up: the cache lines of a table would reveal a secret.
package enum Hexadecimal {
  /// The digit for a number below 16, in lower case.
  @inlinable package static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  /// The digit for a number below 16, in upper case.
  @inlinable package static func upperDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  /// The value of a digit of either case; nil for any other byte.
  @inlinable package static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Fills `text`, which has room for two digits a byte, with the bytes in lower case.
  package static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = digit(byte >> 4)
      text[2 * index + 1] = digit(byte & 15)
    }
  }

  /// The bytes in lower case.
  package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      encode(bytes, into: UnsafeMutableRawBufferPointer(text))
      return 2 * bytes.count
    }
  }

  /// A byte as two digits in upper case, as percent-encoding (RFC 3986 §2.1) and RFC 4514 §2.4 write it.
  package static func upperPair(_ byte: UInt8) -> [UInt8] { [upperDigit(byte >> 4), upperDigit(byte & 15)] }
}
