package import WatchwordJSON

/// The parameters of a method that takes only a session.
package struct SessionParameters: Sendable {
  package let session: String?

  package init(_ object: JSONObject?) throws(RPCError) {
    session = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalName("session")
    }
  }
}
