/// The members of `Timeouts`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TimeoutsMembers: Sendable {
  /// Until connected, TLS included.
  package let connectSeconds: Double?
  /// Without a byte of progress.
  package let requestSeconds: Double?
  /// For the whole task, without the time in which it waits for a reply or is suspended.
  package let resourceSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    connectSeconds = try reader["connectSeconds"]?.number(in: 0.001...315_360_000)
    requestSeconds = try reader["requestSeconds"]?.number(in: 0.001...315_360_000)
    resourceSeconds = try reader["resourceSeconds"]?.number(in: 0.001...315_360_000)
  }
}
