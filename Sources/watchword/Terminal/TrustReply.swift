internal import WatchwordClient
internal import WatchwordJSON

/// Sends `challenge/reply` for `serverTrust`.
enum TrustReply {
  static func accept(
    _ scope: String, _ persistence: String?, _ challenge: JSONValue, through client: WatchwordClient
  ) throws(ClientError) {
    try ChallengeReply.send("useCredential", to: challenge, through: client) { writer in
      writer.key("credential")
      write(scope, persistence, to: &writer)
    }
  }

  /// Writes the credential: which part of the chain is accepted, and for how long.
  static func write(_ scope: String, _ persistence: String?, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("trust")
    writer.string(scope)
    if let persistence {
      writer.key("persistence")
      writer.string(persistence)
    }
    writer.endObject()
  }
}
