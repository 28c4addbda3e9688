package import WatchwordJSON

/// `identity/remove`: removes a client certificate and its key; without a name, all of the session.
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
