package import WatchwordSecret
package import WatchwordVocabulary

/// The members of `IdentityMaterial`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct IdentityMaterialMembers: Sendable {
  /// PEM, in any order; without the key.
  package let certificates: String?
  /// PEM: PKCS#8, or the traditional form of RSA and EC keys. Secret.
  package let privateKey: Secret?
  /// Of an encrypted key. Secret.
  package let passphrase: Secret?
  /// Base64. Secret.
  package let pkcs12: Secret?
  package let pkcs11: TokenURI?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    certificates = try reader["certificates"]?.string(maximumBytes: 262_144, minimumBytes: 1)
    privateKey = try reader["privateKey"]?.secret(maximumBytes: 65_536)
    passphrase = try reader["passphrase"]?.secret(maximumBytes: 1024)
    pkcs12 = try reader["pkcs12"]?.secret(maximumBytes: 524_288)
    pkcs11 = try reader["pkcs11"]?.tokenURI(maximumBytes: 2048)
  }
}
