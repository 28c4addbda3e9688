package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// How long and how often an identity is presented. A use is a handshake: one for every request on its
  /// connection. Checked on listing as well as on use; at its limit it is gone with its key, and its
  /// connections are used no more.
  package struct IdentityLimits: SentObject {
    /// Gone after this long without a handshake.
    package let idleSeconds: Double?
    /// Gone this long after it was given.
    package let lifetimeSeconds: Double?
    /// Gone at this time.
    package let notAfter: String?
    /// Gone after so many handshakes.
    package let maximumUses: Int?

    package init(
      idleSeconds: Double? = nil, lifetimeSeconds: Double? = nil, notAfter: String? = nil,
      maximumUses: Int? = nil
    ) {
      self.idleSeconds = idleSeconds
      self.lifetimeSeconds = lifetimeSeconds
      self.notAfter = notAfter
      self.maximumUses = maximumUses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let lifetimeSeconds { writer.member("lifetimeSeconds", lifetimeSeconds) }
      if let notAfter { writer.member("notAfter", notAfter) }
      if let maximumUses { writer.member("maximumUses", maximumUses) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      idleSeconds = try object.memberIfPresent("idleSeconds")
      lifetimeSeconds = try object.memberIfPresent("lifetimeSeconds")
      notAfter = try object.memberIfPresent("notAfter")
      maximumUses = try object.memberIfPresent("maximumUses")
    }
  }
}
