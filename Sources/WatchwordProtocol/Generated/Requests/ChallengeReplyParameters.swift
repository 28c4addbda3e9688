package import WatchwordVocabulary

/// The parameters of `challenge/reply`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ChallengeReplyParameters: MethodParameters {
  package let challenge: String
  package let disposition: Disposition
  /// With useCredential: what to send; null or left out: go on without: the 401 is delivered, and a
  /// server that asks for a certificate gets none (serverTrust needs one). Ignored beside the other
  /// dispositions.
  package let credential: Parameter?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    challenge = try reader.required("challenge").string(maximumBytes: 256, minimumBytes: 1)
    disposition = try reader.required("disposition").enumeration(Disposition.self)
    credential = reader["credential"]
  }
}
