package import WatchwordCore

/// The members of `TaskTLS`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TaskTLSMembers: Sendable {
  /// Not above the maximum, the task's or the session's.
  package let minimumVersion: SessionConfiguration.TLSBound?
  /// Not below the minimum, the task's or the session's.
  package let maximumVersion: SessionConfiguration.TLSBound?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    minimumVersion = try reader["minimumVersion"]?.enumeration(SessionConfiguration.TLSBound.self)
    maximumVersion = try reader["maximumVersion"]?.enumeration(SessionConfiguration.TLSBound.self)
  }
}
