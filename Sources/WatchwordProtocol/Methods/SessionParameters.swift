package import WatchwordJSON

/// The parameters of a method that takes a session and nothing else.
package struct SessionParameters: Sendable {
  package let session: String?

  package init(_ object: JSONObject?) throws(RPCError) {
    session = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalName("session")
    }
  }
}
