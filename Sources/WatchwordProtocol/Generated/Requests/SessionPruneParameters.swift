/// The parameters of `session/prune`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionPruneParameters: MethodParameters {
  /// Only those that were not used for so long.
  package let olderThanSeconds: Double

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    olderThanSeconds = try reader["olderThanSeconds"]?.number(in: 0...315_360_000) ?? 0
  }
}
