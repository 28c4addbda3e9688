internal import WatchwordJSON
internal import WatchwordSecret

/// The `credential` member of `challenge/reply` and `credential/set`.
enum CredentialText {
  /// Without a user the secret is a token, or the passphrase of the agent's lock.
  static func write(
    to writer: inout JSONWriter, user: String?, secret: Secret, isPassphrase: Bool = false,
    persistence: String?
  ) {
    writer.beginObject()
    if isPassphrase {
      writer.key("passphrase")
    } else if let user {
      writer.key("user")
      writer.string(user)
      writer.key("password")
    } else {
      writer.key("token")
    }
    secret.withBytes { writer.stringBytes($0) }
    if let persistence, !isPassphrase {
      writer.key("persistence")
      writer.string(persistence)
    }
    writer.endObject()
  }
}
