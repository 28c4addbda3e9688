package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `credential/didChange`. A session's credentials, or the uid's permanent identities,
  /// changed. To the session's holders that are not restricted.
  package struct CredentialDidChange: SentObject {
    package let session: String
    package let protectionSpace: Sent.ProtectionSpaceName?
    package let user: String?
    package let identity: String?
    package let change: String
    package let count: Int

    package init(
      session: String, protectionSpace: Sent.ProtectionSpaceName?, user: String?, identity: String?,
      change: String, count: Int
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.identity = identity
      self.change = change
      self.count = count
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
      writer.member("identity", identity)
      writer.member("change", change)
      writer.member("count", count)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      protectionSpace = try object.member("protectionSpace")
      user = try object.member("user")
      identity = try object.member("identity")
      change = try object.member("change")
      count = try object.member("count")
    }
  }
}
