package import WatchwordJSON

/// `cookie/list`: the cookies of a session.
package enum CookieList {
  package struct Parameters: Sendable {
    package let session: String?
    /// Only cookies that would be sent to this URL's host.
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
