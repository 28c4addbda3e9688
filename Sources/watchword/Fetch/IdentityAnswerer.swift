internal import WatchwordMessages
internal import WatchwordVocabulary

/// Answers for one fetch which client certificate to present: asks the person at the terminal.
final class IdentityAnswerer {
  /// Unusable certificates after which it gives up.
  private static let attempts = 3

  private let question: IdentityQuestion
  private let persistence: Persistence?

  /// nil when there is no terminal to ask at.
  init?(persistence: Persistence?) {
    guard let question = IdentityQuestion() else { return nil }
    self.question = question
    self.persistence = persistence
  }

  /// Replies to the challenge; returns a short text about the reply.
  func answer(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) -> String {
    let identities = try IdentityQuestion.fitting(challenge, through: client)
    for _ in 0..<Self.attempts {
      do throws(ClientError) {
        switch try question.ask(about: challenge, among: identities, through: client) {
        case .settledElsewhere: return "answered elsewhere"
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
          try ReplySender.cancel(challenge, through: client)
          return "cancelled"
        }
      } catch {
        guard case .refused(let remote) = error else { throw error }
        if remote.kind == .challengeNotPending { return "answered too late" }
        Diagnostics.report(Failure(remote))
      }
    }
    try ReplySender.cancel(challenge, through: client)
    return "cancelled"
  }
}
