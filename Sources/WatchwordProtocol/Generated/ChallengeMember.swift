/// A member of `Challenge`. Made from `protocol/openrpc.json` by `protocol/generate`.
internal enum ChallengeMember: CaseIterable {
  /// An id, unique for the life of the daemon and not guessable.
  case challenge
  case session
  /// The task that raised it.
  case task
  /// Without userinfo. Its query is shown to the connection of the task only.
  case url
  case origin
  /// What the challenge is about; README.md 6.1.2 has its members.
  case protectionSpace
  /// Only when a person must enter a code (challenges.md 9.10.8): the name of the source that waits for it.
  /// The page and the code are in parameters of the protection space.
  case source
  /// The offers of the response that are left for this task, in the order in which they are tried. The
  /// challenge is about the first. Empty for serverTrust and clientCertificate.
  case offers
  /// Never a secret (challenges.md 2.8).
  case proposedCredential
  /// Only for clientCertificate: the ids of the identities that fit, the session's own before the permanent
  /// ones. Default handling presents the first.
  case identities
  /// Refusals in this protection space during this task.
  case previousFailureCount
  /// Status and header fields of the refusing response, without Set-Cookie, Authentication-Info and
  /// Proxy-Authentication-Info; null for a question of a handshake.
  case failureResponse
  /// A typed reason; more kinds may be added.
  case error
  /// The tasks that wait under the challenge with their processes: the first 4,096 of them.
  case waiters
  /// How many wait in all.
  case waiterCount
  /// When the default is applied.
  case deadline

  internal var name: StaticString {
    switch self {
    case .challenge: "challenge"
    case .session: "session"
    case .task: "task"
    case .url: "url"
    case .origin: "origin"
    case .protectionSpace: "protectionSpace"
    case .source: "source"
    case .offers: "offers"
    case .proposedCredential: "proposedCredential"
    case .identities: "identities"
    case .previousFailureCount: "previousFailureCount"
    case .failureResponse: "failureResponse"
    case .error: "error"
    case .waiters: "waiters"
    case .waiterCount: "waiterCount"
    case .deadline: "deadline"
    }
  }
}
