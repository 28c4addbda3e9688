internal import WatchwordClient
internal import WatchwordJSON

/// Sends `challenge/reply` of any kind.
enum ChallengeReply {
  static func cancel(_ challenge: JSONValue, through client: WatchwordClient) throws(ClientError) {
    try send("cancelAuthenticationChallenge", to: challenge, through: client)
  }

  /// - Parameters:
  /// - size: bytes to reserve for `more`.
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
  /// Whether no other process has answered the challenge; reads what has arrived, which must not be empty.
  func stillAsks(about challenge: String) throws(ClientError) -> Bool {
    try receive()
    return !hasNotification {
      $0.method == "challenge/didSettle" && $0.parameters["challenge"]?.text == challenge
    }
  }
}
