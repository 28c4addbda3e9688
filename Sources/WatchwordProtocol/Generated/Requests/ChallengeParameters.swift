/// The parameters of `challenge/describe`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ChallengeParameters: MethodParameters {
  package let challenge: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    challenge = try reader.required("challenge").string(maximumBytes: 256, minimumBytes: 1)
  }
}
