/// The members of `IdentityLimits`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct IdentityLimitsMembers: Sendable {
  /// Gone after this long without a handshake.
  package let idleSeconds: Double?
  /// Gone this long after it was given.
  package let lifetimeSeconds: Double?
  /// Gone at this time.
  package let notAfter: Double?
  /// Gone after so many handshakes.
  package let maximumUses: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000)
    lifetimeSeconds = try reader["lifetimeSeconds"]?.number(in: 0...315_360_000)
    notAfter = try reader["notAfter"]?.timestamp()
    maximumUses = try reader["maximumUses"]?.integer(in: 1...1_000_000_000)
  }
}
