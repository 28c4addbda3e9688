/// What one task has met in one protection space.
struct SpaceRecord: Sendable {
  /// A credential that serves this task only, or until the server has accepted it.
  struct OwnCredential: Sendable {
    let credential: Credential
    var authenticator: Authenticator
    /// Whether others wait for the server's word on it.
    var isOnTrial: Bool
    var isAccepted = false
    let source: ProposedCredential.Source
  }

  /// Not offered to this task any more, by a disposition or because it leads nowhere.
  var isStruck = false
  /// Whether somebody has confirmed the use of a credential that wants that (limit `confirm`).
  var isConfirmed = false
  var own: OwnCredential?
  /// A reused nonce was refused without being called stale, and is tried again: once is enough.
  var hasRetriedPlainly = false

  /// What the server has refused here: never sent to it again (challenges.md 7.5).
  private(set) var refused: [Credential.Kind] = []
  private(set) var lastRefused: ProposedCredential?
  /// Entries of the cache up to this one were there when the task was refused: they are no news.
  private(set) var knownGeneration: UInt64 = 0

  var failureCount: Int { refused.count }

  func hasRefused(_ kind: Credential.Kind) -> Bool { refused.contains(kind) }

  /// The server has refused what an exchange carried.
  ///
  /// - Returns: what it was, if it was the task's own: that is gone.
  mutating func noteRefusal(of sent: AuthenticationStateMachine.SentCredential) -> OwnCredential? {
    defer { own = nil }
    refused.append(sent.kind)
    lastRefused = ProposedCredential(user: sent.kind.user, source: own?.source ?? .session)
    knownGeneration = sent.knownGeneration
    return own
  }
}
