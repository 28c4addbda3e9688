internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordVocabulary

/// Sends `challenge/reply` of any kind.
enum ChallengeReply {
  static func cancel(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) {
    try send(.cancelAuthenticationChallenge, to: challenge, through: client)
  }

  /// - Parameters:
  ///   - credential: nil for other dispositions than `useCredential`; a nil in it says that there is none.
  ///   - size: bytes to reserve for the credential.
  @discardableResult
  static func send(
    _ disposition: Disposition, _ credential: Request.Credential?? = nil, to challenge: Sent.Challenge,
    through client: WatchwordClient, reserving size: Int = 0
  ) throws(ClientError) -> WatchwordClient.Reply<Sent.AcceptedReply> {
    let reply = Request.ChallengeReply(
      challenge: challenge.challenge, disposition: disposition, credential: credential)
    return try client.callReply(reply, reserving: size)
  }
}

extension WatchwordClient {
  /// Whether no other process has answered the challenge; reads what has arrived.
  func stillAsks(about challenge: String) throws(ClientError) -> Bool {
    var arrived = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while poll(&arrived, 1, 0) > 0 { try receive() }
    return !hasNotification {
      guard case .challengeDidSettle(let settled) = $0 else { return false }
      return settled.challenge == challenge
    }
  }
}
