package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `trust/list`. Lists the decisions about servers' certificates that the session goes
  /// by: its own, then the permanent ones.
  package struct TrustList: MethodRequest {
    package typealias Result = Sent.TrustList
    package static let method = "trust/list"

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
