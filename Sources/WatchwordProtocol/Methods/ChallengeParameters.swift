package import WatchwordJSON

/// The parameters of `challenge/describe`.
package struct ChallengeParameters: Sendable {
  package let challenge: String

  package init(_ object: JSONObject?) throws(RPCError) {
    challenge = try ParameterReader.decode(object) { reader throws(RPCError) in
      try reader.string("challenge", maximumBytes: 256)
    }
  }
}
