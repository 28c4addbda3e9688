internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordVocabulary

/// Sends `challenge/reply` for `serverTrust`.
enum TrustReply {
  static func accept(
    _ scope: TrustScope, _ persistence: Persistence?, _ challenge: Sent.Challenge,
    through client: WatchwordClient
  ) throws(ClientError) {
    try ChallengeReply.send(.useCredential, credential(scope, persistence), to: challenge, through: client)
  }

  /// Which part of the chain is accepted, and for how long.
  static func credential(_ scope: TrustScope, _ persistence: Persistence?) -> Request.Credential {
    Request.Credential(persistence: persistence, trust: scope)
  }
}
