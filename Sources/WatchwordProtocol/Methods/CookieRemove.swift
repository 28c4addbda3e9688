package import WatchwordJSON

/// `cookie/remove`: removes the cookies that match the given members; without members, all.
package enum CookieRemove {
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
