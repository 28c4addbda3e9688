internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/setDefault`: sets which user of a space is used.
package enum CredentialSetDefault {
  package struct Parameters: Sendable {
    package let session: String?
    package let spaces: [ProtectionSpace]
    package let user: String

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.protectionSpaces("protectionSpace"),
          try reader.string("user", maximumBytes: 4096)
        )
      }
    }
  }
}
