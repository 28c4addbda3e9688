package import WatchwordCore
package import WatchwordVocabulary

/// The parameters of `identity/add`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct IdentityAddParameters: MethodParameters {
  package let session: String?
  package let identity: NewIdentity
  package let persistence: Persistence
  package let limits: CredentialLimits?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    identity = try reader.required("identity").newIdentity()
    persistence = try reader["persistence"]?.enumeration(Persistence.self) ?? .forSession
    limits = try reader["limits"]?.handshakeLimits()
  }
}
