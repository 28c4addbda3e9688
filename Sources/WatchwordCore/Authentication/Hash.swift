internal import CCrypto
package import WatchwordVocabulary

/// A hash in progress: bytes are added in pieces, and the result is read once.
///
/// The state has seen passwords and is wiped on deinit. Calls go straight to OpenSSL with the algorithm
/// fetched once, since every exchange of a warm Digest session needs two hashes.
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

/// The hashes of HTTP Digest (RFC 7616 §6.1) and of digest fields (RFC 9530 §5).
package enum HashAlgorithm: Sendable, Hashable, CaseIterable {
  case md5
  case sha256
  case sha512256
  case sha512

  /// Length of a result, in bytes.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha256, .sha512256: 32
    case .sha512: 64
    }
  }

  /// Whether OpenSSL provides it; MD5 is missing if only its FIPS provider is loaded.
  package var isAvailable: Bool { watchword_hash_is_available(code) }

  var code: watchword_hash_algorithm {
    switch self {
    case .md5: WATCHWORD_HASH_MD5
    case .sha256: WATCHWORD_HASH_SHA256
    case .sha512256: WATCHWORD_HASH_SHA512_256
    case .sha512: WATCHWORD_HASH_SHA512
    }
  }
}

/// The result of a hash, stored inline without allocation.
package struct HashValue: Sendable {
  private var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  package private(set) var count = 0

  mutating func finish(_ state: OpaquePointer) {
    count = withUnsafeMutableBytes(of: &storage) { target in
      target.bindMemory(to: UInt8.self).baseAddress.map { watchword_hash_finish(state, $0) } ?? 0
    }
  }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }

  /// Writes the result into `target` as lower-case hexadecimal digits, two for each byte.
  package func writeHexadecimal(to target: UnsafeMutableRawBufferPointer) {
    withBytes { Hexadecimal.encode($0, into: target) }
  }

  package var hexadecimal: String { withBytes { Hexadecimal.text($0) } }
}

extension HashValue {
  /// The hexadecimal digits in memory that is wiped.
  package var hexadecimalSecret: Secret { Secret(count: 2 * count) { writeHexadecimal(to: $0) } }
}

extension Hash {
  /// Digest's `response` (RFC 7616 §3.4.1); with an empty method `rspauth` (RFC 7616 §3.5).
  ///
  /// The hash must be fresh, and is fresh afterwards.
  mutating func response(
    of ticket: DigestTicket, firstPart: Secret, method: String, bodyHash: HashValue?
  ) -> HashValue {
    update(method)
    update(":")
    update(ticket.target)
    if let bodyHash {
      update(":")
      update(hexadecimal: bodyHash)
    }
    let secondPart = finish()

    update(firstPart)
    update(":")
    update(ticket.nonce.octets)
    if let quality = ticket.quality {
      update(":")
      ticket.withNonceCountDigits { update($0) }
      update(":")
      update(ticket.clientNonce)
      switch quality {
      case .auth: update(":auth")
      case .authInt: update(":auth-int")
      }
    }
    update(":")
    update(hexadecimal: secondPart)
    return finish()
  }

  /// The part of A2 that a body adds; nil when the quality of protection does not include one.
  mutating func bodyHash(
    of body: DigestBody, for quality: DigestQualityOfProtection?
  ) throws(DigestFault) -> HashValue? {
    guard quality == .authInt else { return nil }
    switch body {
    case .empty: return finish()
    case .hashed(let value): return value
    case .unknown: throw .bodyHashNeeded
    case .unread: throw .bodyUnread
    }
  }

  /// `H(passwordHash ":" nonce ":" cnonce)`, the A1 of the `-sess` algorithms (RFC 7616 §3.4.2).
  mutating func firstPart(of ticket: DigestTicket) -> Secret {
    update(ticket.passwordHash)
    update(":")
    update(ticket.nonce.octets)
    update(":")
    update(ticket.clientNonce)
    return finish().hexadecimalSecret
  }

  private mutating func update(hexadecimal value: HashValue) {
    withUnsafeTemporaryAllocation(byteCount: 2 * value.count, alignment: 1) { digits in
      value.writeHexadecimal(to: digits)
      update(UnsafeRawBufferPointer(digits))
    }
  }
}
