package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/list`. Lists stored credentials, never their secrets. Without session:
  /// those of session default.
  package struct CredentialList: MethodRequest {
    package typealias Result = Sent.CredentialList
    package static let method = "credential/list"

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
