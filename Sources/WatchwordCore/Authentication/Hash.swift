internal import CTransport
package import WatchwordSecret

/// The hashes of HTTP Digest (RFC 7616 §6.1).
package enum HashAlgorithm: Sendable, Hashable, CaseIterable {
  case md5
  case sha256
  case sha512256

  /// Bytes of a result.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha256, .sha512256: 32
    }
  }

  /// Whether OpenSSL offers it here; MD5 is missing where only its FIPS provider is loaded.
  package var isAvailable: Bool { watchword_hash_is_available(code) }

  fileprivate var code: watchword_hash_algorithm {
    switch self {
    case .md5: WATCHWORD_HASH_MD5
    case .sha256: WATCHWORD_HASH_SHA256
    case .sha512256: WATCHWORD_HASH_SHA512_256
    }
  }
}

/// A hash in the making: bytes go in piece by piece, the result comes out once.
///
/// The state has seen passwords and is wiped when it goes. Calls go straight to OpenSSL with the algorithm
/// fetched once, since two hashes are made for every exchange of a warm Digest session.
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

  /// The result; the hash begins anew.
  package mutating func finish() -> HashValue {
    var value = HashValue()
    value.finish(state)
    watchword_hash_restart(state)
    return value
  }
}

/// The result of a hash, in place and without allocation.
package struct HashValue: Sendable {
  private var storage: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  package private(set) var count = 0

  fileprivate mutating func finish(_ state: OpaquePointer) {
    count = withUnsafeMutableBytes(of: &storage) { target in
      target.bindMemory(to: UInt8.self).baseAddress.map { watchword_hash_finish(state, $0) } ?? 0
    }
  }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }

  /// Writes the result into `target` as lower-case hexadecimal digits, two for each byte.
  package func writeHexadecimal(to target: UnsafeMutableRawBufferPointer) {
    withBytes { bytes in
      for (index, byte) in bytes.enumerated() {
        target[2 * index] = Self.digit(byte >> 4)
        target[2 * index + 1] = Self.digit(byte & 0xF)
      }
    }
  }

  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * count) { target in
      writeHexadecimal(to: UnsafeMutableRawBufferPointer(target))
      return 2 * count
    }
  }

  static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}
