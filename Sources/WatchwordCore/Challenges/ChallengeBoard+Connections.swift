package import WatchwordVocabulary

/// Connections that come, change what they take, and go.
extension ChallengeBoard {
  /// Adds a holder of the session, or changes its interest; nil leaves the interest as it is.
  func register(
    _ peer: PeerIdentifier, of process: ProcessIdentifier?, interest: DelegateInterest?, now: Double
  ) -> [Effect] {
    roster.register(peer, of: process, interest: interest)
    return interest == nil ? [] : askOthers(insteadOf: peer)
  }

  /// The connection gives up every right but to fetch by these rules; these tasks of it end.
  func restrict(
    _ peer: PeerIdentifier, by restriction: RestrictionIdentifier, ending tasks: [TaskIdentifier], now: Double
  ) -> [Effect] {
    roster.restrict(peer, by: restriction)
    return leave(tasks, now: now) + askOthers(insteadOf: peer)
  }

  /// The connection closed or left the session; these tasks end with it.
  func remove(
    _ peer: PeerIdentifier, ending tasks: [TaskIdentifier] = [], now: Double
  ) -> [Effect] {
    roster.remove(peer)
    return leave(tasks, now: now) + askOthers(insteadOf: peer)
  }

  /// Asks the next candidate, unless the connection that was asked last can still answer.
  func askAnother(about challenge: String, now: Double) -> [Effect] {
    guard let key = keys[challenge], var pending = challenges.removeValue(forKey: key) else { return [] }
    return proceed(&pending, at: key, now: now)
  }

  /// Tasks that end together: no question is raised for one that is about to leave.
  func leave(_ tasks: [TaskIdentifier], now: Double) -> [Effect] {
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
      .sorted(on: \.raised)
      .map { .askAnother(about: $0.identifier) }
  }
}

/// The board under the lock of the agent (storage.md 9.11).
extension ChallengeBoard {
  /// The agent is locked: every question is withdrawn, no reply counts, and no trial serves others.
  ///
  /// - Returns: The tasks that waited, in order of arrival in each space; they wait for nothing now.
  func lock() -> (waiting: [TaskIdentifier], effects: [Effect]) {
    var effects: [Effect] = []
    var tasks: [TaskIdentifier] = []
    for (key, found) in challenges.sorted(on: \.value.raised) {
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
  func unlock(_ outcome: ChallengeOutcome) -> [Effect] {
    guard let key = challenges.keys.first(where: { $0.space.authenticationMethod == .agentUnlock }),
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    var effects: [Effect] = []
    if challenge.isAsking {
      effects = settle(&challenge, outcome, outcome == .answered ? .useCredential : nil)
    }
    deadlines.set(key, to: nil)
    return effects + resume(challenge.queue.removeAll { _ in true }, .useStored)
  }
}

extension ChallengeBoard {
  package enum Effect: Sendable, Equatable {
    /// Send the challenge's notification to this connection.
    case notify(PeerIdentifier, challenge: String)
    /// Tell the connections that were asked how the challenge ended.
    case settled(challenge: String, ChallengeOutcome, Disposition?, asked: [PeerIdentifier])
    case resume(TaskIdentifier, ChallengeVerdict)
    /// The connection that was asked may not answer any more: say `askAnother`.
    case askAnother(about: String)
    /// Read the source of this name, then say `sourceRead`.
    case readSource(String, challenge: String)
    /// What the source was read for under this id is not wanted any more.
    case stopReading(challenge: String)
    /// A handshake question is decided. Comes before the tasks that it serves are resumed.
    case decided(HandshakeDecision)
  }

  /// Why a reply was refused and changed nothing.
  package enum ReplyFault: Error, Sendable, Equatable {
    case notPending
    case unusable(CredentialFault)
    /// The administrator's rule of this name forbids it.
    case notAllowed(rule: String)
  }
}
