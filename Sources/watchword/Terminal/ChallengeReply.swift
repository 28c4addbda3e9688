internal import WatchwordClient
internal import WatchwordJSON

/// `challenge/reply` of any kind.
enum ChallengeReply {
  static func cancel(_ challenge: JSONValue, through client: WatchwordClient) throws(ClientError) {
    try send("cancelAuthenticationChallenge", to: challenge, through: client)
  }

  /// - Parameters:
  ///   - size: bytes to keep free for `more`.
  ///   - more: writes members beside `challenge` and `disposition`.
  @discardableResult
  static func send(
    _ disposition: StaticString, to challenge: JSONValue, through client: WatchwordClient,
    reserving size: Int = 0, _ more: WatchwordClient.Parameters = { _ in }
  ) throws(ClientError) -> JSONValue {
    try client.call("challenge/reply", reserving: size) { writer in
      writer.key("challenge")
      writer.string(challenge["challenge"]?.text ?? "")
      writer.key("disposition")
      writer.string(disposition)
      more(&writer)
    }
  }
}

extension WatchwordClient {
  /// Whether nobody else has answered the challenge; looks at what has come, of which there is something.
  func stillAsks(about challenge: String) throws(ClientError) -> Bool {
    try receive()
    return !hasNotification {
      $0.method == "challenge/didSettle" && $0.parameters["challenge"]?.text == challenge
    }
  }
}
