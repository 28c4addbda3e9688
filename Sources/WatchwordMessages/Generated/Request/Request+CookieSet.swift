package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `cookie/set`. Stores a cookie.
  package struct CookieSet: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "cookie/set"

    package let session: String?
    package let cookie: Request.CookieToSet

    package init(session: String? = nil, cookie: Request.CookieToSet) {
      self.session = session
      self.cookie = cookie
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("cookie", cookie)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      cookie = try object.member("cookie")
    }
  }
}
