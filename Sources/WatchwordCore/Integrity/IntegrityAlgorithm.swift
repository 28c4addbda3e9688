/// The algorithms of digest fields that may be relied on (RFC 9530 §5, "Active").
package enum IntegrityAlgorithm: String, Sendable, Hashable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"

  var hash: HashAlgorithm {
    switch self {
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}
