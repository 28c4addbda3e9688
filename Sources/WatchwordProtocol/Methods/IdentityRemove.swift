package import WatchwordJSON

/// `identity/remove`: forgets a client certificate and its key; all of the session when none is named.
package enum IdentityRemove {
  package struct Parameters: Sendable {
    package let session: String?
    /// Nil for all.
    package let identity: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, identity) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"),
          try reader.optionalString("identity", maximumBytes: IdentityBounds.identifierBytes)
        )
      }
    }
  }
}
