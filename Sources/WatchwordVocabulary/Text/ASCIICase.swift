/// Compares text without regard to the case of ASCII letters, as protocols compare names (RFC 9110 §5.1, RFC
/// 4343).
///
/// Unlike Swift's `lowercased()` it changes no other character: the Kelvin sign is not a `k`.
package enum ASCIICase {
  /// A letter in lower case; any other byte as it is.
  @inlinable package static func lower(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  @inlinable package static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// Whether `bytes` are those of `lower`, which is in lower case.
  @inlinable package static func matches(_ bytes: some Sequence<UInt8>, _ lower: some Sequence<UInt8>) -> Bool
  {
    var rest = bytes.makeIterator()
    for expected in lower {
      guard let byte = rest.next(), self.lower(byte) == expected else { return false }
    }
    return rest.next() == nil
  }
}

extension String {
  /// Whether the text is `lower`, which is in lower case, in any case.
  ///
  /// Not generic, and so fast across targets: the name of each header field of a response is compared several
  /// times.
  package func matchesASCIICase(of lower: String) -> Bool {
    guard utf8.count == lower.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      lower.utf8.withContiguousStorageIfAvailable { ASCIICase.matches(bytes, $0) }
    }
    return (isSame ?? nil) ?? ASCIICase.matches(utf8, lower.utf8)
  }

  /// The text with its ASCII letters in lower case.
  package var asciiLowercased: String {
    var text = self
    let lowered: String? = text.withUTF8 { bytes in
      // Most names are in lower case as they come.
      guard bytes.contains(where: { ASCIICase.lower($0) != $0 }) else { return nil }
      return String(unsafeUninitializedCapacity: bytes.count) { target in
        for (index, byte) in bytes.enumerated() { target[index] = ASCIICase.lower(byte) }
        return bytes.count
      }
    }
    return lowered ?? self
  }
}

extension Substring {
  /// The text with its ASCII letters in lower case.
  package var asciiLowercased: String { String(self).asciiLowercased }
}
