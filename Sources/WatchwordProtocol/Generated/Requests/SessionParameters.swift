/// The parameters of `session/close`, `session/finish`, `session/invalidate`, `session/reset`,
/// `session/describe`, `task/list`, `challenge/list`, `credential/list`, `trust/list`, `identity/list`.
/// Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionParameters: MethodParameters {
  package let session: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
  }
}
