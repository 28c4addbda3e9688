internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/set`: stores a credential in a session.
package enum CredentialSet {
  package struct Parameters: Sendable {
    package let session: String?
    /// Two for the method `default`.
    package let spaces: [ProtectionSpace]
    package let credential: GivenCredential
    package let isDefault: Bool

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, credential, isDefault) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        let session = try reader.optionalName("session")
        let spaces = try reader.protectionSpaces("protectionSpace")
        guard var credential = try reader.optionalCredential("credential") else {
          throw reader.fault("credential", "is missing")
        }
        if try reader.optionalBool("readable") == true, !credential.makeReadable() {
          throw reader.fault(
            "readable", "is for a password or a token without the limit methods, which a reader need not keep"
          )
        }
        return (session, spaces, credential, try reader.optionalBool("default") ?? true)
      }
    }
  }
}
