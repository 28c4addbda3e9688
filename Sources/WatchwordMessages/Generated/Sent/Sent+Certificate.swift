package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `Certificate` of the contract.
  package struct Certificate: SentObject {
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let serialNumber: String
    package let notBefore: String
    package let notAfter: String
    package let subjectAlternativeNames: [String]
    package let keyType: String
    package let keyBits: Int
    /// Of the certificate.
    package let sha256: String
    /// sha256/ and the base64 of the SHA-256 of the SPKI.
    package let publicKey: String
    package let pem: String

    package init(
      subject: String, issuer: String, serialNumber: String, notBefore: String, notAfter: String,
      subjectAlternativeNames: [String], keyType: String, keyBits: Int, sha256: String, publicKey: String,
      pem: String
    ) {
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.subjectAlternativeNames = subjectAlternativeNames
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
      self.pem = pem
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("subjectAlternativeNames", subjectAlternativeNames)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("pem", pem)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      subjectAlternativeNames = try object.member("subjectAlternativeNames")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      pem = try object.member("pem")
    }
  }
}
