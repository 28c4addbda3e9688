package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `CredentialLimits` of the contract.
  package struct CredentialLimits: SentObject {
    /// Gone after this long without a handshake.
    package let idleSeconds: Double?
    /// Gone this long after it was given.
    package let lifetimeSeconds: Double?
    /// Gone at this time.
    package let notAfter: String?
    /// Only for these paths and below.
    package let pathPrefixes: [String]?
    /// Only for these HTTP methods.
    package let methods: [String]?
    /// Gone after so many handshakes.
    package let maximumUses: Int?
    /// A use for another process raises a challenge first.
    package let confirm: Bool?

    package init(
      idleSeconds: Double? = nil, lifetimeSeconds: Double? = nil, notAfter: String? = nil,
      pathPrefixes: [String]? = nil, methods: [String]? = nil, maximumUses: Int? = nil, confirm: Bool? = nil
    ) {
      self.idleSeconds = idleSeconds
      self.lifetimeSeconds = lifetimeSeconds
      self.notAfter = notAfter
      self.pathPrefixes = pathPrefixes
      self.methods = methods
      self.maximumUses = maximumUses
      self.confirm = confirm
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let lifetimeSeconds { writer.member("lifetimeSeconds", lifetimeSeconds) }
      if let notAfter { writer.member("notAfter", notAfter) }
      if let pathPrefixes { writer.member("pathPrefixes", pathPrefixes) }
      if let methods { writer.member("methods", methods) }
      if let maximumUses { writer.member("maximumUses", maximumUses) }
      if let confirm { writer.member("confirm", confirm) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      idleSeconds = try object.memberIfPresent("idleSeconds")
      lifetimeSeconds = try object.memberIfPresent("lifetimeSeconds")
      notAfter = try object.memberIfPresent("notAfter")
      pathPrefixes = try object.memberIfPresent("pathPrefixes")
      methods = try object.memberIfPresent("methods")
      maximumUses = try object.memberIfPresent("maximumUses")
      confirm = try object.memberIfPresent("confirm")
    }
  }
}
