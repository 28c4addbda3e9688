package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `identity/remove`. Forgets a client certificate and its key, or all that identity/list
  /// shows, the permanent ones included.
  package struct IdentityRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "identity/remove"

    package let session: String?
    package let identity: String?

    package init(session: String? = nil, identity: String? = nil) {
      self.session = session
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let identity { writer.member("identity", identity) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      identity = try object.memberIfPresent("identity")
    }
  }
}
