internal import CCrypto
internal import WatchwordVocabulary

/// Normalization Form C of a user and a password for `charset=UTF-8` (RFC 7616 §4, RFC 7617 §2.1).
///
/// Keyboards enter `é` as one character or as two; the server knows one form. Bytes that are not UTF-8 stay.
enum Normalization {
  /// The most bytes that one byte of UTF-8 becomes (Unicode Standard Annex 15, table 9).
  private static let growth = 3

  static func composed(_ secret: Secret) -> Secret {
    guard secret.withBytes({ !isASCII($0) }) else { return secret }
    var count = 0
    // Wiped like the result.
    let scratch = Secret(count: secret.count * growth) { target in
      count = secret.withBytes { normalize($0, into: target) }
    }
    guard count > 0 else { return secret }
    return scratch.withBytes { Secret(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  static func composed(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard !isASCII(bytes) else { return nil }
      return withUnsafeTemporaryAllocation(byteCount: bytes.count * growth, alignment: 1) { target in
        let count = normalize(bytes, into: target)
        return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
      }
    } ?? text
  }

  private static func normalize(
    _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let text = bytes.bindMemory(to: UInt8.self).baseAddress,
      let output = target.bindMemory(to: UInt8.self).baseAddress
    else { return 0 }
    return watchword_normalize(text, bytes.count, output, target.count)
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy(UTF8.isASCII) }
}
