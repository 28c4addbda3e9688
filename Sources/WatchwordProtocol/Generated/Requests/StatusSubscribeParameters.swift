/// The parameters of `status/subscribe`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct StatusSubscribeParameters: MethodParameters {
  package let intervalSeconds: Double

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    intervalSeconds = try reader["intervalSeconds"]?.number(in: 0.1...3600) ?? 1
  }
}
