/// The parameters of `cookie/set`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CookieSetParameters: MethodParameters {
  package let session: String?
  package let cookie: CookieToSetMembers

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    cookie = try reader.required("cookie").object(CookieToSetMembers.init)
  }
}
