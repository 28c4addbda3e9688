internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `challenge/reply` for `clientCertificate`.
enum IdentityReply {
  /// Presents an identity of the session.
  static func present(
    _ identifier: String, _ persistence: String?, _ challenge: JSONValue, through client: WatchwordClient
  ) throws(ClientError) {
    try ChallengeReply.send("useCredential", to: challenge, through: client) { writer in
      writer.key("credential")
      write(persistence, to: &writer) { $0.string(identifier) }
    }
  }

  static func presentNone(_ challenge: JSONValue, through client: WatchwordClient) throws(ClientError) {
    try ChallengeReply.send("useCredential", to: challenge, through: client) { writer in
      writer.key("credential")
      writer.null()
    }
  }

  /// Writes the credential: which identity, and for how long.
  static func write(
    _ persistence: String?, to writer: inout JSONWriter, _ identity: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.key("identity")
    identity(&writer)
    if let persistence {
      writer.key("persistence")
      writer.string(persistence)
    }
    writer.endObject()
  }
}
