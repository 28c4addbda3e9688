package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/read`. Writes the secret of a readable credential into a pipe or a memory
  /// file that the caller sends.
  package struct CredentialRead: MethodRequest {
    package typealias Result = Sent.ReadCredential
    package static let method = "credential/read"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    /// Left out: the default user.
    package let user: String?
    /// What it is for; left out: the whole origin.
    package let path: String?
    /// Of those sent with the message; open for writing.
    package let descriptor: Int

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String? = nil,
      path: String? = nil, descriptor: Int
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.path = path
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      if let user { writer.member("user", user) }
      if let path { writer.member("path", path) }
      writer.member("descriptor", descriptor)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      protectionSpace = try object.member("protectionSpace")
      user = try object.memberIfPresent("user")
      path = try object.memberIfPresent("path")
      descriptor = try object.member("descriptor")
    }
  }
}
