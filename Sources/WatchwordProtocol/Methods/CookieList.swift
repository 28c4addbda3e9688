package import WatchwordJSON

/// `cookie/list`: the cookies of a session.
package enum CookieList {
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
