/// The parameters of `peer/listen`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct PeerListenParameters: MethodParameters {
  /// A Unix stream socket that listens.
  package let descriptor: Int
  package let session: String?
  package let rules: [RestrictionRuleMembers]
  /// Left out: as long as the connection.
  package let expiresSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader.required("descriptor").integer(in: 0...15)
    session = try reader["session"]?.name(maximumBytes: 128)
    rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
      try element.object(RestrictionRuleMembers.init)
    }
    expiresSeconds = try reader["expiresSeconds"]?.number(in: 0.001...315_360_000)
  }
}
