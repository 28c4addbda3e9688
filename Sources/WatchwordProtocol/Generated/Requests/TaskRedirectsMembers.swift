/// The members of `TaskRedirects`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TaskRedirectsMembers: Sendable {
  /// Redirects in the task.
  package let limit: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    limit = try reader["limit"]?.integer(in: 0...50)
  }
}
