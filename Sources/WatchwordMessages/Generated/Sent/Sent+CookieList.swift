package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The cookies of a session.
  package struct CookieList: SentObject {
    package let cookies: [Sent.Cookie]

    package init(cookies: [Sent.Cookie]) {
      self.cookies = cookies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("cookies", cookies)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      cookies = try object.member("cookies")
    }
  }
}
