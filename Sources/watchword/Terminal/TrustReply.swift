internal import WatchwordClient
internal import WatchwordJSON

/// `challenge/reply` for `serverTrust`.
enum TrustReply {
  static func accept(
    _ scope: String, _ persistence: String?, _ challenge: JSONValue, through client: WatchwordClient
  ) throws(ClientError) {
    try send("useCredential", to: challenge, through: client) { writer in
      writer.key("credential")
      write(scope, persistence, to: &writer)
    }
  }

  static func cancel(_ challenge: JSONValue, through client: WatchwordClient) throws(ClientError) {
    try send("cancelAuthenticationChallenge", to: challenge, through: client)
  }

  static func send(
    _ disposition: StaticString, to challenge: JSONValue, through client: WatchwordClient,
    _ more: WatchwordClient.Parameters = { _ in }
  ) throws(ClientError) {
    try client.call("challenge/reply") { writer in
      writer.key("challenge")
      writer.string(challenge["challenge"]?.text ?? "")
      writer.key("disposition")
      writer.string(disposition)
      more(&writer)
    }
  }

  /// The credential: what of the chain is accepted, and for how long.
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
