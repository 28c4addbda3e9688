internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordVocabulary

/// `challenge/reply` for `clientCertificate`.
enum IdentityReply {
  /// Presents an identity of the session.
  static func present(
    _ identifier: String, _ persistence: Persistence?, _ challenge: Sent.Challenge,
    through client: WatchwordClient
  ) throws(ClientError) {
    let credential = credential(.text(identifier), persistence)
    try ChallengeReply.send(.useCredential, credential, to: challenge, through: client)
  }

  static func presentNone(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) {
    try ChallengeReply.send(.useCredential, .some(nil), to: challenge, through: client)
  }

  /// Which identity, and for how long.
  static func credential(
    _ identity: TextOr<Request.IdentityMaterial>, _ persistence: Persistence?
  ) -> Request.Credential {
    Request.Credential(persistence: persistence, identity: identity)
  }
}
