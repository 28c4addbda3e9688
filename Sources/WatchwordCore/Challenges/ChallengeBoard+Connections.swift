package import WatchwordVocabulary

/// Connections that come, change what they take, and go.
extension ChallengeBoard {
  /// Adds a holder of the session, or changes its interest; nil leaves the interest as it is.
  package mutating func register(
    _ peer: PeerIdentifier, of process: ProcessIdentifier?, interest: DelegateInterest?, now: Double
  ) -> [Effect] {
    roster.register(peer, of: process, interest: interest)
    return interest == nil ? [] : askOthers(insteadOf: peer)
  }

  /// The connection gives up every right but to fetch by these rules; these tasks of it end.
  mutating func restrict(
    _ peer: PeerIdentifier, by restriction: RestrictionIdentifier, ending tasks: [TaskIdentifier], now: Double
  ) -> [Effect] {
    roster.restrict(peer, by: restriction)
    return leave(tasks, now: now) + askOthers(insteadOf: peer)
  }

  /// The connection closed or left the session; these tasks end with it.
  package mutating func remove(
    _ peer: PeerIdentifier, ending tasks: [TaskIdentifier] = [], now: Double
  ) -> [Effect] {
    roster.remove(peer)
    return leave(tasks, now: now) + askOthers(insteadOf: peer)
  }

  /// Asks the next candidate, unless the connection that was asked last can still answer.
  mutating func askAnother(about challenge: String, now: Double) -> [Effect] {
    guard let key = keys[challenge], var pending = challenges.removeValue(forKey: key) else { return [] }
    return proceed(&pending, at: key, now: now)
  }

  /// Tasks that end together: no question is raised for one that is about to leave.
  mutating func leave(_ tasks: [TaskIdentifier], now: Double) -> [Effect] {
    var keysLeft: [Key] = []
    var known: Set<Key> = []
    for task in tasks {
      let refused = refusals.removeValue(forKey: task)
      guard let key = waiting.removeValue(forKey: task) else { continue }
      challenges[key]?.stepOut(task, refused: refused)
      if known.insert(key).inserted { keysLeft.append(key) }
    }
    var effects: [Effect] = []
    for key in keysLeft {
      guard var challenge = challenges.removeValue(forKey: key) else { continue }
      effects += proceed(&challenge, at: key, now: now)
    }
    return effects
  }

  // MARK: Steps

  /// Everything that this connection was asked and can no longer answer, the oldest question first.
  private func askOthers(insteadOf peer: PeerIdentifier) -> [Effect] {
    challenges.values.lazy.filter { $0.isAsking && $0.asked.last == peer }
      .map { (raised: $0.raised, identifier: $0.identifier) }
      .sorted { $0.raised < $1.raised }
      .map { .askAnother(about: $0.identifier) }
  }
}
