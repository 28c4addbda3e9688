package import WatchwordVocabulary

/// The board under the lock of the agent (storage.md 9.11).
extension ChallengeBoard {
  /// The agent is locked: every question is withdrawn, no reply counts, and no trial serves others.
  ///
  /// - Returns: The tasks that waited, in order of arrival in each space; they wait for nothing now.
  package mutating func lock() -> (waiting: [TaskIdentifier], effects: [Effect]) {
    var effects: [Effect] = []
    var tasks: [TaskIdentifier] = []
    for (key, found) in challenges.sorted(by: { $0.value.raised < $1.value.raised }) {
      var challenge = found
      if challenge.isAsking { effects += settle(&challenge, .withdrawn, nil) }
      tasks += (challenge.queue.entries + challenge.trials.flatMap(\.queue.entries)).map(\.waiter.task)
      deadlines.set(key, to: nil)
    }
    (challenges, waiting, refusals) = ([:], [:], [:])
    sources.removeAll()
    return (tasks, effects)
  }

  /// The agent is unlocked: the tasks that waited for it go on.
  package mutating func unlock(_ outcome: ChallengeOutcome) -> [Effect] {
    guard let key = challenges.keys.first(where: { $0.space.authenticationMethod == .agentUnlock }),
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    var effects: [Effect] = []
    if challenge.isAsking {
      effects = settle(&challenge, outcome, outcome == .answered ? .useCredential : nil)
    }
    deadlines.set(key, to: nil)
    return effects + resume(challenge.queue.take { _ in true }, .useStored)
  }
}
