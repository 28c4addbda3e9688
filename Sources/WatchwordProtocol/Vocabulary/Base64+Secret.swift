internal import WatchwordPrimitives
import WatchwordSecret

extension Base64 {
  /// Decodes a secret text without any other copy of its bytes.
  static func decode(_ text: Secret) -> Secret? {
    text.withBytes { text in
      let text = text.assumingMemoryBound(to: UInt8.self)
      guard let count = decodedCount(text) else { return nil }
      var isSound = false
      let bytes = Secret(count: count) { isSound = decode(text, into: $0) }
      return isSound ? bytes : nil
    }
  }
}
