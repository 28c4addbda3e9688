internal import WatchwordVocabulary

/// Counts the exchanges of a task that make no progress; `begin` ends a task that has made too many
/// (challenges.md 13.14).
///
/// Every rule that repeats a request has a bound of its own. This one holds when one of them fails: a task
/// would otherwise send thousands of requests a second until its time limit.
extension TaskStateMachine {
  /// Exchanges of one task since it made progress.
  struct ExchangeBound: Sendable {
    static let limit = 64

    private var count = 0
    /// Refusals that the task had met when it made progress.
    private var refusals = 0

    /// The task has made progress.
    mutating func begin() { count = 0 }

    /// A response has come, or the exchange has ended without one. A request that is taken back is no
    /// exchange.
    mutating func noteExchange() { count += 1 }

    /// Whether the task may make another exchange.
    ///
    /// - Parameter refusals: those that it has met.
    mutating func permits(refusals: Int) -> Bool {
      if refusals != self.refusals {
        self.refusals = refusals
        count = 0
      }
      return count < Self.limit
    }
  }

  /// The task has an answer. That another task was accepted is none.
  func noteAnswer(_ verdict: ChallengeVerdict) {
    switch verdict {
    case .tryCredential, .useCredential, .deliverRefusal, .nextOffer, .sourceFailed, .excludeOffer, .cancel,
      .rejectServerTrust:
      bound.begin()
    case .useStored: break
    }
  }
}
