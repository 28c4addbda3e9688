internal import CDigest
package import WatchwordSecret

/// A hash in progress: bytes are added in pieces, and the result is read once.
///
/// The state has seen passwords and is wiped on deinit. Calls go straight to OpenSSL with the algorithm fetched once,
/// since every exchange of a warm Digest session needs two hashes.
package struct Hash: ~Copyable {
  private let state: OpaquePointer

  /// Begins a hash; nil when the algorithm is not available.
  package init?(_ algorithm: HashAlgorithm) {
    guard let state = watchword_hash_create(algorithm.code) else { return nil }
    self.state = state
  }

  deinit { watchword_hash_free(state) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    watchword_hash_update(state, bytes.baseAddress, bytes.count)
  }

  package mutating func update(_ secret: Secret) {
    secret.withBytes { watchword_hash_update(state, $0.baseAddress, $0.count) }
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { watchword_hash_update(state, $0.baseAddress, $0.count) }
  }

  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { watchword_hash_update(state, $0.baseAddress, $0.count) }
  }

  package mutating func update(_ text: StaticString) {
    watchword_hash_update(state, text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Returns the result and starts a new hash.
  package mutating func finish() -> HashValue {
    var value = HashValue()
    value.finish(state)
    watchword_hash_restart(state)
    return value
  }
}
