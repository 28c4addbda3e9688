package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/set`. Stores a credential for a protection space.
  package struct CredentialSet: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "credential/set"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let credential: Request.Credential
    package let `default`: Bool?
    package let readable: Bool?

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, credential: Request.Credential,
      `default`: Bool? = nil, readable: Bool? = nil
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.credential = credential
      self.default = `default`
      self.readable = readable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      writer.member("credential", credential)
      if let `default` { writer.member("default", `default`) }
      if let readable { writer.member("readable", readable) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      protectionSpace = try object.member("protectionSpace")
      credential = try object.member("credential")
      `default` = try object.memberIfPresent("default")
      readable = try object.memberIfPresent("readable")
    }
  }
}
