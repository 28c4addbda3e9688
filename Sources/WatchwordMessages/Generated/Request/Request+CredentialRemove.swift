package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/remove`. Removes a space's credentials, or one user's.
  package struct CredentialRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "credential/remove"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let user: String?
    /// Only the credentials that are kept for this path (storage.md 9.9.7); null: only those for no path.
    package let path: String??

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String? = nil,
      path: String?? = nil
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.path = path
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      if let user { writer.member("user", user) }
      if let path { writer.member("path", path) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      protectionSpace = try object.member("protectionSpace")
      user = try object.memberIfPresent("user")
      path = try object.memberIfPresent("path")
    }
  }
}
