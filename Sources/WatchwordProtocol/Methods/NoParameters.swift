package import WatchwordJSON

/// The parameters of a method that takes none.
package struct NoParameters: Sendable {
  package init(_ object: JSONObject?) throws(RPCError) {
    try ParameterReader.decode(object) { _ throws(RPCError) in }
  }
}
