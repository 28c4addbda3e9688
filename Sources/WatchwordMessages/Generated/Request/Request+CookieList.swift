package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `cookie/list`. Lists the session's cookies; with url, those that would be sent there.
  package struct CookieList: MethodRequest {
    package typealias Result = Sent.CookieList
    package static let method = "cookie/list"

    package let session: String?
    package let url: String?

    package init(session: String? = nil, url: String? = nil) {
      self.session = session
      self.url = url
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let url { writer.member("url", url) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      url = try object.memberIfPresent("url")
    }
  }
}
