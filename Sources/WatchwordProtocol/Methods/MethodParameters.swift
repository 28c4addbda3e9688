package import WatchwordJSON

/// The parameters of a method: read from a peer's object, or from none.
package protocol MethodParameters: Sendable, SendableMetatype {
  init(_ reader: inout ParameterReader) throws(RPCError)
}

extension MethodParameters {
  package init(_ object: JSONNode?) throws(RPCError) {
    self = try ParameterReader.decode(object) { reader throws(RPCError) in try Self(&reader) }
  }
}

/// The parameters of a method that takes none.
package struct NoParameters: MethodParameters {
  package init(_ reader: inout ParameterReader) throws(RPCError) {}
}
