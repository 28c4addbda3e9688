/// Bytes in base64 with padding (RFC 4648 §4).
enum Base64Digits {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  static func append(_ value: UnsafeRawBufferPointer, to bytes: inout WipedBytes) {
    let digits = alphabet.utf8Start
    bytes.append((value.count + 2) / 3 * 4) { bytes in
      var target = 0
      var source = 0
      while source + 2 < value.count {
        let group = Int(value[source]) << 16 | Int(value[source + 1]) << 8 | Int(value[source + 2])
        bytes[target] = digits[group >> 18]
        bytes[target + 1] = digits[group >> 12 & 63]
        bytes[target + 2] = digits[group >> 6 & 63]
        bytes[target + 3] = digits[group & 63]
        source += 3
        target += 4
      }
      let left = value.count - source
      guard left > 0 else { return }
      let group = Int(value[source]) << 16 | (left == 2 ? Int(value[source + 1]) << 8 : 0)
      bytes[target] = digits[group >> 18]
      bytes[target + 1] = digits[group >> 12 & 63]
      bytes[target + 2] = left == 2 ? digits[group >> 6 & 63] : UInt8(ascii: "=")
      bytes[target + 3] = UInt8(ascii: "=")
    }
  }
}
