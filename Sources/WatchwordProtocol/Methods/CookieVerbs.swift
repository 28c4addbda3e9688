package import WatchwordJSON

/// `cookie/list`: the cookies of a session.
package enum CookieList {
  package static let name = "cookie/list"

  package struct Parameters: Sendable {
    package let session: String?
    /// Only cookies that this URL's host would be sent.
    package let url: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, url) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"),
          try reader.optionalString("url", maximumBytes: Fetch.maximumURLBytes)
        )
      }
    }
  }
}

/// `cookie/set`: puts a cookie into a session.
package enum CookieSet {
  package static let name = "cookie/set"

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
          guard HeaderRules.isToken(name) else { throw reader.fault("name", "is not a cookie name") }
          let value = try reader.string("value", maximumBytes: 4096)
          guard HeaderRules.isValue(value), !value.contains(";"), !value.contains("\t") else {
            throw reader.fault("value", "holds a semicolon or control character")
          }
          let domain = try reader.string("domain", maximumBytes: 255)
          guard !domain.isEmpty, HeaderRules.isValue(domain), !domain.contains("\t") else {
            throw reader.fault("domain", "is not a domain")
          }
          let path = try reader.optionalString("path", maximumBytes: 4096) ?? "/"
          guard path.hasPrefix("/"), HeaderRules.isValue(path), !path.contains("\t") else {
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
            name: name, value: value, domain: domain.lowercased(), path: path, expires: expires,
            isSecure: try reader.optionalBool("secure") ?? false,
            isHTTPOnly: try reader.optionalBool("httpOnly") ?? false)
        }
        return (session, cookie)
      }
    }
  }
}

/// `cookie/remove`: removes the cookies that match what is given; all of them when nothing is.
package enum CookieRemove {
  package static let name = "cookie/remove"

  package struct Parameters: Sendable {
    package let session: String?
    package let domain: String?
    package let name: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, domain, name) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.optionalString("domain", maximumBytes: 255),
          try reader.optionalString("name", maximumBytes: 4096)
        )
      }
    }
  }
}
