package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `identity/add`. Gives the session, or with permanent the uid, a client certificate
  /// with its key.
  package struct IdentityAdd: MethodRequest {
    package typealias Result = Sent.AddedIdentity
    package static let method = "identity/add"

    package let session: String?
    package let identity: Request.IdentityMaterial
    package let persistence: Persistence?
    package let limits: Request.IdentityLimits?

    package init(
      session: String? = nil, identity: Request.IdentityMaterial, persistence: Persistence? = nil,
      limits: Request.IdentityLimits? = nil
    ) {
      self.session = session
      self.identity = identity
      self.persistence = persistence
      self.limits = limits
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("identity", identity)
      if let persistence { writer.member("persistence", persistence) }
      if let limits { writer.member("limits", limits) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      identity = try object.member("identity")
      persistence = try object.memberIfPresent("persistence")
      limits = try object.memberIfPresent("limits")
    }
  }
}
