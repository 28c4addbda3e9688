package import WatchwordJSON

/// The parameters of `server/shutdown`.
package struct ShutdownParameters: Sendable {
  package let isGraceful: Bool

  package init(_ object: JSONObject?) throws(RPCError) {
    isGraceful = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.optionalBool("graceful") ?? true
    }
  }
}
