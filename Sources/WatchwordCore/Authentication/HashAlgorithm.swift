internal import CDigest

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
