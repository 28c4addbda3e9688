/// The members of `CredentialLimits`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialLimitsMembers: Sendable {
  /// Gone after this long without use.
  package let idleSeconds: Double?
  /// Gone this long after it was given.
  package let lifetimeSeconds: Double?
  /// Gone at this time.
  package let notAfter: Double?
  /// Only for paths at or below one of these.
  package let pathPrefixes: [String]?
  /// Only for these HTTP methods.
  package let methods: [String]?
  /// Gone after so many exchanges.
  package let maximumUses: Int?
  /// Every use by another process raises a challenge first.
  package let confirm: Bool?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000)
    lifetimeSeconds = try reader["lifetimeSeconds"]?.number(in: 0...315_360_000)
    notAfter = try reader["notAfter"]?.timestamp()
    pathPrefixes = try reader["pathPrefixes"]?.array(maximum: 64, minimum: 1) { element throws(RPCError) in
      try element.absolutePath()
    }
    methods = try reader["methods"]?.array(maximum: 64, minimum: 1) { element throws(RPCError) in
      try element.methodToken()
    }
    maximumUses = try reader["maximumUses"]?.integer(in: 1...1_000_000_000)
    confirm = try reader["confirm"]?.bool()
  }
}
