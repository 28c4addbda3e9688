package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A client certificate of a session or of its uid. Never its key.
  package struct Identity: SentObject {
    package let identity: String
    /// The only one that it is for, when it came in a reply; null: any that asks for it.
    package let origin: String?
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
    /// The URI of its key; null: in memory.
    package let pkcs11: String?
    /// Certificates in all.
    package let chainLength: Int
    package let persistence: String
    /// Those it was given; empty when none.
    package let limits: Sent.IdentityLimits
    /// Handshakes that it was presented in.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(
      identity: String, origin: String?, subject: String, issuer: String, serialNumber: String,
      notBefore: String, notAfter: String, keyType: String, keyBits: Int, sha256: String, publicKey: String,
      pkcs11: String?, chainLength: Int, persistence: String, limits: Sent.IdentityLimits, uses: Int,
      lastUsed: String?, created: String, secondsLeft: Double?
    ) {
      self.identity = identity
      self.origin = origin
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
      self.pkcs11 = pkcs11
      self.chainLength = chainLength
      self.persistence = persistence
      self.limits = limits
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identity", identity)
      writer.member("origin", origin)
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("pkcs11", pkcs11)
      writer.member("chainLength", chainLength)
      writer.member("persistence", persistence)
      writer.member("limits", limits)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identity = try object.member("identity")
      origin = try object.member("origin")
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      pkcs11 = try object.member("pkcs11")
      chainLength = try object.member("chainLength")
      persistence = try object.member("persistence")
      limits = try object.member("limits")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      secondsLeft = try object.member("secondsLeft")
    }
  }
}
