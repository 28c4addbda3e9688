package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `identity/list`. Lists the session's client certificates, the one that was added last
  /// first, and then the permanent ones of the uid; never a key.
  package struct IdentityList: MethodRequest {
    package typealias Result = Sent.IdentityList
    package static let method = "identity/list"

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
