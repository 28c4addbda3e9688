internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// `cookie/set`: stores a cookie in a session.
package enum CookieSet {
  package struct Cookie: Sendable {
    package let name: String
    package let value: String
    package let domain: String
    package let path: String
    /// Seconds since 1970; nil for a session cookie.
    package let expires: Double?
    package let isSecure: Bool
    package let isHTTPOnly: Bool
  }

  package struct Parameters: Sendable {
    package let session: String?
    package let cookie: Cookie

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, cookie) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let session = try reader.optionalName("session")
        let cookie = try reader.object("cookie") { reader throws(RPCError) in
          let name = try reader.string("name", maximumBytes: 4096)
          guard FieldSyntax.isToken(name) else { throw reader.fault("name", "is not a cookie name") }
          let value = try reader.string("value", maximumBytes: 4096)
          guard Parameters.isPart(value) else {
            throw reader.fault("value", "holds a semicolon or control character")
          }
          let domain = try reader.string("domain", maximumBytes: 255)
          guard let host = HostRules.normalized(domain) else {
            throw reader.fault("domain", "is not a domain")
          }
          let path = try reader.optionalString("path", maximumBytes: 4096) ?? "/"
          guard path.utf8.first == UInt8(ascii: "/"), Parameters.isPart(path) else {
            throw reader.fault("path", "is not a path")
          }
          var expires: Double?
          if reader.member("expires") != .null, let text = try reader.optionalString("expires") {
            guard let seconds = Timestamp.seconds(text) else {
              throw reader.fault("expires", "must be a UTC time such as 2026-11-21T12:05:00Z")
            }
            expires = seconds
          }
          return Cookie(
            name: name, value: value, domain: host, path: path, expires: expires,
            isSecure: try reader.optionalBool("secure") ?? false,
            isHTTPOnly: try reader.optionalBool("httpOnly") ?? false)
        }
        return (session, cookie)
      }
    }

    /// Whether it ends neither the value in a header field nor the field in a cookie file. By bytes: for `contains`,
    /// a semicolon under an accent is another character.
    private static func isPart(_ text: String) -> Bool {
      HeaderRules.isValue(text)
        && !text.utf8.contains { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\t") }
    }
  }
}
