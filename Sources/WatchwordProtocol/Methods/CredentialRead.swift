internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/read`: gives back what was stored with `readable`. The secret goes into a descriptor, never into a message.
package enum CredentialRead {
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
