package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A credential as lists show it: never its secret.
  package struct StoredCredential: SentObject {
    package let protectionSpace: Sent.ProtectionSpaceName
    package let user: String?
    package let kind: String
    package let persistence: String
    /// Whether it is the space's default user.
    package let isDefault: Bool
    package let source: String
    /// For named: the administrator's source.
    package let sourceName: String?
    /// Whether credential/read gives its secret back.
    package let readable: Bool
    /// Whether it was given to go with the first request (storage.md 9.4.6).
    package let preemptive: Bool
    /// Of key only: what stands in front of it in its field.
    package let prefix: String?
    /// Those it was given; empty when none.
    package let limits: Sent.CredentialLimits
    /// Exchanges it was sent with.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(
      protectionSpace: Sent.ProtectionSpaceName, user: String?, kind: String, persistence: String,
      isDefault: Bool, source: String, sourceName: String?, readable: Bool, preemptive: Bool, prefix: String?,
      limits: Sent.CredentialLimits, uses: Int, lastUsed: String?, created: String, secondsLeft: Double?
    ) {
      self.protectionSpace = protectionSpace
      self.user = user
      self.kind = kind
      self.persistence = persistence
      self.isDefault = isDefault
      self.source = source
      self.sourceName = sourceName
      self.readable = readable
      self.preemptive = preemptive
      self.prefix = prefix
      self.limits = limits
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
      writer.member("kind", kind)
      writer.member("persistence", persistence)
      writer.member("isDefault", isDefault)
      writer.member("source", source)
      if let sourceName { writer.member("sourceName", sourceName) }
      writer.member("readable", readable)
      writer.member("preemptive", preemptive)
      if let prefix { writer.member("prefix", prefix) }
      writer.member("limits", limits)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      protectionSpace = try object.member("protectionSpace")
      user = try object.member("user")
      kind = try object.member("kind")
      persistence = try object.member("persistence")
      isDefault = try object.member("isDefault")
      source = try object.member("source")
      sourceName = try object.memberIfPresent("sourceName")
      readable = try object.member("readable")
      preemptive = try object.member("preemptive")
      prefix = try object.memberIfPresent("prefix")
      limits = try object.member("limits")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      secondsLeft = try object.member("secondsLeft")
    }
  }
}
