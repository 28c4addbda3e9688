package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/setDefault`. Makes a stored user the default of its space.
  package struct CredentialSetDefault: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "credential/setDefault"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let user: String

    package init(session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      protectionSpace = try object.member("protectionSpace")
      user = try object.member("user")
    }
  }
}
