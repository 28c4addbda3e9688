/// The members of `CredentialLimits`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialLimitsMembers: Sendable {
  /// Expires after this time without use.
  package let idleSeconds: Double?
  /// Expires this time after it was given.
  package let lifetimeSeconds: Double?
  /// Expires at this time.
  package let notAfter: Double?
  /// Only for these paths and below.
  package let pathPrefixes: [String]?
  /// Only for these HTTP methods.
  package let methods: [String]?
  /// Expires after this number of exchanges.
  package let maximumUses: Int?
  /// A use for another process raises a challenge first.
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
