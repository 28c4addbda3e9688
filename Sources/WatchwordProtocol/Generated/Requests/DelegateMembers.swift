package import WatchwordCore

/// The members of `Delegate`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct DelegateMembers: Sendable {
  /// Methods this connection takes for tasks it started.
  package let tasks: DelegateInterest.Methods?
  /// Methods this connection takes for any task of the session.
  package let session: DelegateInterest.Methods?
  /// Whether serverTrust is asked about every chain, or about those only that default evaluation refuses.
  package let trustVerdicts: DelegateInterest.TrustVerdicts

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    tasks = try reader["tasks"]?.delegateMethods(maximum: 64)
    session = try reader["session"]?.delegateMethods(maximum: 64)
    trustVerdicts = try reader["trustVerdicts"]?.enumeration(DelegateInterest.TrustVerdicts.self) ?? .all
  }
}
