package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `identity/add`: gives a session a client certificate with its key, for any server that names its issuer.
package enum IdentityAdd {
  package struct Parameters: Sendable {
    package let session: String?
    package let identity: NewIdentity
    package let persistence: Persistence
    package let limits: CredentialLimits

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, identity, persistence, limits) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.newIdentity("identity"),
          try reader.optionalEnumeration("persistence", Persistence.self) ?? .forSession,
          try reader.optionalHandshakeLimits("limits") ?? CredentialLimits()
        )
      }
    }
  }
}
