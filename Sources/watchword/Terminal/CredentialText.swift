internal import WatchwordJSON
internal import WatchwordSecret

/// The `credential` member of `challenge/reply` and `credential/set`.
enum CredentialText {
  /// Without a user the secret is a token.
  static func write(to writer: inout JSONWriter, user: String?, secret: Secret, persistence: String?) {
    writer.beginObject()
    if let user {
      writer.key("user")
      writer.string(user)
      writer.key("password")
    } else {
      writer.key("token")
    }
    secret.withBytes { writer.stringBytes($0) }
    if let persistence {
      writer.key("persistence")
      writer.string(persistence)
    }
    writer.endObject()
  }
}
