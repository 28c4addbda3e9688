package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `credential/retry`. Lets what a server has refused, and what comes from outside the
  /// session, be sent once more.
  package struct CredentialRetry: MethodRequest {
    package typealias Result = Sent.RetriedCredentials
    package static let method = "credential/retry"

    package let session: String?
    package let url: String
    package let proxies: TextOr<Request.Proxies>?

    package init(session: String? = nil, url: String, proxies: TextOr<Request.Proxies>? = nil) {
      self.session = session
      self.url = url
      self.proxies = proxies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("url", url)
      if let proxies { writer.member("proxies", proxies) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      url = try object.member("url")
      proxies = try object.memberIfPresent("proxies")
    }
  }
}
