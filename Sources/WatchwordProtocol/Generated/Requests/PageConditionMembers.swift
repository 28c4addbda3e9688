package import WatchwordCore

/// The members of `PageCondition`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct PageConditionMembers: Sendable {
  package let status: Int?
  /// CSS selectors of types, ids, classes and attributes, one of which an element of the page matches.
  package let selector: Selector?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    status = try reader["status"]?.integer(in: 200...599)
    selector = try reader["selector"]?.selector(maximumBytes: 1024)
  }
}
