internal import WatchwordClient
internal import WatchwordJSON

/// Answers for one fetch which client certificate a server is presented with: the person at the terminal says.
final class IdentityAnswerer {
  /// Certificates that the daemon cannot use before it is over.
  private static let attempts = 3

  private let question: IdentityQuestion
  private let persistence: String?

  /// nil when there is nobody to ask.
  init?(persistence: String?) {
    guard let question = IdentityQuestion() else { return nil }
    self.question = question
    self.persistence = persistence
  }

  /// Replies to the challenge; says in a word what was replied.
  func answer(_ challenge: JSONValue, through client: WatchwordClient) throws(ClientError) -> String {
    let identities = try IdentityQuestion.fitting(challenge, through: client)
    for _ in 0..<Self.attempts {
      do throws(ClientError) {
        switch try question.ask(about: challenge, among: identities, through: client) {
        case .settledElsewhere: return "answered by somebody else"
        case .stored(let identifier):
          try IdentityReply.present(identifier, persistence, challenge, through: client)
          return "answered"
        case .file(let giver):
          guard try giver.answer(challenge, persistence, through: client) != nil else { continue }
          return "answered"
        case .none:
          try IdentityReply.presentNone(challenge, through: client)
          return "answered: none"
        case .cancel, .nothing:
          try ChallengeReply.cancel(challenge, through: client)
          return "cancelled"
        }
      } catch {
        guard case .refused(let remote) = error else { throw error }
        if remote.kind == "challengeNotPending" { return "answered too late" }
        Diagnostics.report(Failure(remote))
      }
    }
    try ChallengeReply.cancel(challenge, through: client)
    return "cancelled"
  }
}
