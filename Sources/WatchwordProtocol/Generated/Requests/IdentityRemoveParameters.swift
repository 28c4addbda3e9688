/// The parameters of `identity/remove`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct IdentityRemoveParameters: MethodParameters {
  package let session: String?
  package let identity: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    identity = try reader["identity"]?.string(maximumBytes: 64)
  }
}
