/// The parameters of `server/shutdown`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ServerShutdownParameters: MethodParameters {
  /// Finish running tasks first.
  package let graceful: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    graceful = try reader["graceful"]?.bool() ?? true
  }
}
