package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A certificate that a token shows without a login.
  package struct TokenCertificate: SentObject {
    /// The URI of its key.
    package let pkcs11: String
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let serialNumber: String
    package let notBefore: String
    package let notAfter: String
    package let keyType: String
    package let keyBits: Int
    package let sha256: String
    package let publicKey: String

    package init(
      pkcs11: String, subject: String, issuer: String, serialNumber: String, notBefore: String,
      notAfter: String, keyType: String, keyBits: Int, sha256: String, publicKey: String
    ) {
      self.pkcs11 = pkcs11
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("pkcs11", pkcs11)
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      pkcs11 = try object.member("pkcs11")
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
    }
  }
}
