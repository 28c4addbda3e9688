internal import CDigest

/// The hashes of HTTP Digest (RFC 7616 §6.1).
package enum HashAlgorithm: Sendable, Hashable, CaseIterable {
  case md5
  case sha256
  case sha512256

  /// Length of a result, in bytes.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha256, .sha512256: 32
    }
  }

  /// Whether OpenSSL provides it; MD5 is missing if only its FIPS provider is loaded.
  package var isAvailable: Bool { watchword_hash_is_available(code) }

  var code: watchword_hash_algorithm {
    switch self {
    case .md5: WATCHWORD_HASH_MD5
    case .sha256: WATCHWORD_HASH_SHA256
    case .sha512256: WATCHWORD_HASH_SHA512_256
    }
  }
}
