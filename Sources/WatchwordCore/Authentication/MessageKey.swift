package import WatchwordVocabulary

/// A key of HMAC-SHA-256 (RFC 2104): who does not have it cannot tell what a code stands for.
package struct MessageKey: Sendable {
  private static let blockBytes = 64

  private let inner: Secret
  private let outer: Secret

  /// - Parameter key: at most 64 bytes, of which all count.
  package init(_ key: Secret) {
    inner = MessageKey.block(key, 0x36)
    outer = MessageKey.block(key, 0x5C)
  }

  private static func block(_ key: Secret, _ pad: UInt8) -> Secret {
    Secret(count: blockBytes) { target in
      for index in target.indices { target[index] = pad }
      key.withBytes { for (index, byte) in zip(target.indices, $0) { target[index] ^= byte } }
    }
  }

  /// The code of a message, which `feed` gives in pieces; nil when SHA-256 is not available.
  package func code(of feed: (inout Hash) -> Void) -> HashValue? {
    guard var hash = Hash(.sha256) else { return nil }
    hash.update(inner)
    feed(&hash)
    let message = hash.finish()
    hash.update(outer)
    message.withBytes { hash.update($0) }
    return hash.finish()
  }
}
