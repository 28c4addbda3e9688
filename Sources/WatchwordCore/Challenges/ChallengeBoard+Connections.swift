package import WatchwordVocabulary

/// Connections that come, change what they take, and go.
extension ChallengeBoard {
  /// Adds a holder of the session, or changes its interest; nil leaves the interest as it is.
  package mutating func register(
    _ peer: PeerIdentifier, of process: ProcessIdentifier?, interest: DelegateInterest?, now: Double
  ) -> [Effect] {
    roster.register(peer, of: process, interest: interest)
    return interest == nil ? [] : askOthers(insteadOf: peer, now: now)
  }

  /// The connection gives up every right but to fetch by these rules; these tasks of it end.
  mutating func restrict(
    _ peer: PeerIdentifier, by restriction: RestrictionIdentifier, ending tasks: [TaskIdentifier], now: Double
  ) -> [Effect] {
    roster.restrict(peer, by: restriction)
    return leave(tasks, now: now) + askOthers(insteadOf: peer, now: now)
  }

  /// The connection closed or left the session; these tasks end with it.
  package mutating func remove(
    _ peer: PeerIdentifier, ending tasks: [TaskIdentifier] = [], now: Double
  ) -> [Effect] {
    roster.remove(peer)
    return leave(tasks, now: now) + askOthers(insteadOf: peer, now: now)
  }

  // MARK: Steps

  /// Tasks that end together: no question is raised for one that is about to leave.
  private mutating func leave(_ tasks: [TaskIdentifier], now: Double) -> [Effect] {
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

  /// Asks the next candidates for everything that this connection was asked and can no longer answer.
  private mutating func askOthers(insteadOf peer: PeerIdentifier, now: Double) -> [Effect] {
    let concerned = challenges.filter { $0.value.isAsking && $0.value.asked.last == peer }
      .sorted { $0.value.raised < $1.value.raised }.map(\.key)
    var effects: [Effect] = []
    for key in concerned {
      guard var challenge = challenges.removeValue(forKey: key) else { continue }
      effects += proceed(&challenge, at: key, now: now)
    }
    return effects
  }
}
