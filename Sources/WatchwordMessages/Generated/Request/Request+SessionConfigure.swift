package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/configure`. Changes settings of an existing session.
  package struct SessionConfigure: MethodRequest {
    package typealias Result = Sent.ConfiguredSession
    package static let method = "session/configure"

    package let session: String?
    package let configuration: Request.SessionConfiguration?

    package init(session: String? = nil, configuration: Request.SessionConfiguration? = nil) {
      self.session = session
      self.configuration = configuration
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let configuration { writer.member("configuration", configuration) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      configuration = try object.memberIfPresent("configuration")
    }
  }
}
