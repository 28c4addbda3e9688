package import WatchwordCore

/// The parameters of `session/configure`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionConfigureParameters: MethodParameters {
  package let session: String?
  /// The members that change. In methods, methods.digest, methods.negotiate, challenges, tls, redirects,
  /// timeouts, limits and addresses each member on its own; any other value as a whole.
  package let configuration: SessionConfiguration?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    configuration = try reader["configuration"]?.sessionConfiguration()
  }
}
