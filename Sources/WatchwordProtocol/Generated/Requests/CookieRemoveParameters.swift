/// The parameters of `cookie/remove`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CookieRemoveParameters: MethodParameters {
  package let session: String?
  /// Domain and name left out: all.
  package let domain: String?
  package let name: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    domain = try reader["domain"]?.string(maximumBytes: 255, minimumBytes: 1)
    name = try reader["name"]?.string(maximumBytes: 4096, minimumBytes: 1)
  }
}
