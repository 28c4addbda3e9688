internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/read`: gives back what was stored with `readable`. The secret goes into a descriptor, never into a message.
package enum CredentialRead {
  package struct Parameters: Sendable {
    package let session: String?
    /// Two for the method `default`.
    package let spaces: [ProtectionSpace]
    package let user: String?
    package let path: String?
    /// The index of the descriptor that was sent with the message.
    package let descriptor: Int

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user, path, descriptor) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        let session = try reader.optionalName("session")
        let spaces = try reader.protectionSpaces("protectionSpace")
        let user = try reader.optionalString("user", maximumBytes: 4096)
        let path = try reader.optionalString("path", maximumBytes: 8192)
        guard path.map({ $0.utf8.first == UInt8(ascii: "/") }) ?? true else {
          throw reader.fault("path", "must begin with /")
        }
        let indices = 0...Int64(Message.maximumDescriptors - 1)
        guard let index = try reader.optionalInteger("descriptor", in: indices) else {
          throw reader.fault("descriptor", "is missing")
        }
        return (session, spaces, user, path, Int(index))
      }
    }
  }

  /// - Parameter size: bytes of the secret.
  package static func write(
    _ credential: Credential, size: Int, secondsLeft: Double?, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("user", credential.user)
    writer.member("kind", credential.kindName)
    writer.member("size", size)
    writer.member("secondsLeft", secondsLeft)
    writer.endObject()
  }
}
