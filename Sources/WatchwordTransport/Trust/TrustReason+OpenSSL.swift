internal import CTransport
package import WatchwordCore

extension TrustReason {
  /// The reason that an `X509_V_ERR_*` of OpenSSL stands for.
  package init(verifyError: Int32) {
    switch verifyError {
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .hostMismatch
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      self = .unknownIssuer
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
    case X509_V_ERR_CERT_REVOKED: self = .revoked
    case X509_V_ERR_CA_MD_TOO_WEAK: self = .weakSignature
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: self = .weakKey
    case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN,
      X509_V_ERR_INVALID_NON_CA:
      self = .invalidPurpose
    case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG: self = .pathLength
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
      X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
      X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
      self = .nameConstraint
    case X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED, X509_V_ERR_INVALID_POLICY_EXTENSION,
      X509_V_ERR_NO_EXPLICIT_POLICY:
      self = .policy
    default: self = .other
    }
  }
}
