package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/describe`. Describes one session with holders and configuration.
  package struct SessionDescribe: MethodRequest {
    package typealias Result = Sent.SessionDescription
    package static let method = "session/describe"

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
