package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `IdentityMaterial` of the contract.
  package struct IdentityMaterial: SentObject {
    /// PEM, that of the key first. Without them those of the token count.
    package let certificates: String?
    /// PEM: PKCS#8, or the traditional form of RSA and EC keys. Secret.
    package let privateKey: Secret?
    /// The token's PIN, 255 bytes at most. Secret.
    package let passphrase: Secret?
    /// Base64. Secret.
    package let pkcs12: Secret?
    package let pkcs11: String?

    package init(
      certificates: String? = nil, privateKey: Secret? = nil, passphrase: Secret? = nil,
      pkcs12: Secret? = nil, pkcs11: String? = nil
    ) {
      self.certificates = certificates
      self.privateKey = privateKey
      self.passphrase = passphrase
      self.pkcs12 = pkcs12
      self.pkcs11 = pkcs11
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let certificates { writer.member("certificates", certificates) }
      if let privateKey { writer.member("privateKey", privateKey) }
      if let passphrase { writer.member("passphrase", passphrase) }
      if let pkcs12 { writer.member("pkcs12", pkcs12) }
      if let pkcs11 { writer.member("pkcs11", pkcs11) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      certificates = try object.memberIfPresent("certificates")
      privateKey = try object.memberIfPresent("privateKey")
      passphrase = try object.memberIfPresent("passphrase")
      pkcs12 = try object.memberIfPresent("pkcs12")
      pkcs11 = try object.memberIfPresent("pkcs11")
    }
  }
}
