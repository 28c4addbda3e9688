/// The parameters of `peer/restrict`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct PeerRestrictParameters: MethodParameters {
  package let session: String?
  package let rules: [RestrictionRuleMembers]
  /// Left out: as long as the connection.
  package let expiresSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
      try element.object(RestrictionRuleMembers.init)
    }
    expiresSeconds = try reader["expiresSeconds"]?.number(in: 0.001...315_360_000)
  }
}
