package import WatchwordCore

/// The parameters of `session/open`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionOpenParameters: MethodParameters {
  /// Left out, and without bySettings: a new session, private to this connection.
  package let name: String?
  /// Counts when the session is made. For an existing session it must be left out or equal.
  package let configuration: SessionConfiguration?
  /// The session of this uid that is named after the configuration, made if there is none (messages.md
  /// 4.14); excludes name.
  package let bySettings: Bool
  /// With bySettings: a text that counts as one more setting.
  package let variant: String?
  package let delegate: DelegateInterest?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader["name"]?.sessionName(maximumBytes: 128)
    configuration = try reader["configuration"]?.sessionConfiguration()
    bySettings = try reader["bySettings"]?.bool() ?? false
    variant = try reader["variant"]?.string(maximumBytes: 1024, minimumBytes: 1)
    delegate = try reader["delegate"]?.delegateInterest()
    try checkName()
  }
}
