package import WatchwordJSON

/// `trust/remove`: removes trust decisions by id, by origin, or all of the session.
package enum TrustRemove {
  package struct Parameters: Sendable {
    package let session: String?
    /// Nil for any id.
    package let trust: String?
    /// A URL of the origin; nil for any origin.
    package let origin: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, trust, origin) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.optionalString("trust", maximumBytes: 64),
          try reader.optionalString("origin", maximumBytes: Fetch.maximumURLBytes)
        )
      }
    }
  }
}
