internal import WatchwordPrimitives
import WatchwordSecret

extension Base64 {
  /// The bytes that a secret text stands for; no other copy of them is made on the way.
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
