internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/remove`: removes one user's credential of a space, or all of them.
package enum CredentialRemove {
  package struct Parameters: Sendable {
    package let session: String?
    package let spaces: [ProtectionSpace]
    package let user: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.protectionSpaces("protectionSpace"),
          try reader.optionalString("user", maximumBytes: 4096)
        )
      }
    }
  }
}
