package import WatchwordCore

/// The parameters of `session/open`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionOpenParameters: MethodParameters {
  /// Left out: a new session, private to this connection.
  package let name: String?
  /// Counts when the session is made. For an existing session it must be left out or equal.
  package let configuration: SessionConfiguration?
  package let delegate: DelegateInterest?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader["name"]?.sessionName(maximumBytes: 128)
    configuration = try reader["configuration"]?.sessionConfiguration()
    delegate = try reader["delegate"]?.delegateInterest()
  }
}
