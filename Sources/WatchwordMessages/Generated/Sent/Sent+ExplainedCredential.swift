package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Which credential a server or a proxy would get; never the secret.
  package struct ExplainedCredential: SentObject {
    package let user: String?
    package let authenticationMethod: String
    /// Left out: any realm.
    package let realm: String??
    package let realmBytes: String?
    package let source: String
    /// Of passedOver: why it does not count.
    package let reason: String?

    package init(
      user: String?, authenticationMethod: String, realm: String??, realmBytes: String?, source: String,
      reason: String?
    ) {
      self.user = user
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.source = source
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("authenticationMethod", authenticationMethod)
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("source", source)
      if let reason { writer.member("reason", reason) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.memberIfPresent("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      source = try object.member("source")
      reason = try object.memberIfPresent("reason")
    }
  }
}
