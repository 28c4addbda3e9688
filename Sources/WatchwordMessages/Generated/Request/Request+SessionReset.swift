package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/reset`. Removes the session's cookies, credentials, trust decisions and
  /// identities, and closes idle connections.
  package struct SessionReset: MethodRequest {
    package typealias Result = Sent.SessionReference
    package static let method = "session/reset"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
    }
  }
}
