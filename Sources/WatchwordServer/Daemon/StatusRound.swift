internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One snapshot of the daemon for several peers: each sees the sessions of its own uid, root sees all, of
/// private ones of other connections without their credentials.
///
/// A session and a challenge are described and encoded once, regardless of the number of peers.
@ReactorActor
final class StatusRound {
  private struct SessionKey: Hashable {
    let identifier: ObjectIdentifier
    let isPrivateToOthers: Bool
  }

  private struct ChallengeKey: Hashable {
    let identifier: String
    /// Only the connection of the task sees the query of its URL.
    let isOwn: Bool
  }

  /// `credential/history` has the others.
  private static let historyEntries = 16

  private let daemon: Daemon
  private let sessions: [SessionDriver]
  private var sessionTexts: [SessionKey: Encoded<Sent.SessionStatus>] = [:]
  private var challengeTexts: [ChallengeKey: Encoded<Sent.Challenge>] = [:]

  init(_ daemon: Daemon) {
    self.daemon = daemon
    sessions = daemon.registry.all
    daemon.counters.statusRounds += 1
  }

  /// Makes the snapshot when all sessions have been described, in steps: there may be thousands, and one may
  /// have thousands of credentials, or hundreds of challenges with certificates.
  func snapshot(for peer: Peer, then: @escaping @ReactorActor (Sent.StatusSnapshot) -> Void) {
    var rest = sessions(knownTo: peer)[...]
    // Of the first one of the rest.
    var credentials: CredentialTexts?
    var challenges: ArraySlice<String>?
    peer.taker.proceed {
      guard let session = rest.first else { return false }
      let key = self.key(of: session, for: peer)
      if !self.daemon.isLocked(session.uid), self.sessionTexts[key] == nil {
        var begun = credentials ?? self.credentials(of: session, key)
        credentials = nil
        if begun.describeNext() {
          credentials = begun
          return true
        }
        self.describe(session, key, begun.texts)
      }
      credentials = nil
      var left = challenges ?? session.challenges(for: peer).map(\.identifier)[...]
      if let challenge = left.popFirst().flatMap({ session.challenge($0, for: peer) }) {
        self.describe(challenge, in: session, for: peer)
      }
      challenges = left
      guard left.isEmpty else { return true }
      challenges = nil
      rest.removeFirst()
      return !rest.isEmpty
    } then: {
      then(self.snapshot(for: peer))
    }
  }

  private func sessions(knownTo peer: Peer) -> [SessionDriver] {
    sessions.filter { !$0.isOver && (peer.sees($0) || peer.process.uid == 0) }
  }

  private func snapshot(for peer: Peer) -> Sent.StatusSnapshot {
    let isLocked = daemon.isLocked(peer.process.uid)
    let known = sessions(knownTo: peer)
    let visible = known.filter { !daemon.isLocked($0.uid) }
    // As with sessions, one that was raised since the round began is in the next.
    let challenges = known.flatMap { session in
      session.challenges(for: peer).compactMap { challengeTexts[key(of: $0, in: session, for: peer)] }
    }
    let limits = daemon.limits(
      for: peer, waitingTasks: daemon.registry.waitingTasks(of: peer.process.uid))
    return Sent.StatusSnapshot(
      version: DaemonOptions.version, pid: Int(getpid()),
      uptimeSeconds: EventLoop.shared.now - daemon.started, socket: daemon.socketPath,
      residentBytes: Int(ProcessMemory.residentBytes()),
      countedBytes: daemon.budget.total + daemon.reserve.total, locked: isLocked,
      suspendLock: daemon.suspendWatcher.state.rawValue,
      vault: daemon.vaults.account(of: peer.process.uid).description,
      roots: daemon.roots.description(of: peer.process.uid),
      sources: daemon.isAdministrator(peer) && !isLocked
        ? daemon.sources.descriptions(now: EventLoop.shared.now, wallClock: Clock.wallSeconds()) : [],
      synchronization: daemon.synchronizer?.description(for: peer.process.uid),
      // One that has become visible since the round began is in the next.
      sessions: visible.compactMap { sessionTexts[key(of: $0, for: peer)] },
      challenges: challenges, oldestChallengeSeconds: oldestChallengeSeconds(of: visible),
      history: isLocked
        ? [] : daemon.histories.latest(StatusRound.historyEntries, for: peer).map(\.sent),
      counters: daemon.counters.named, taskSeconds: daemon.counters.taskTimes.sent,
      replySeconds: daemon.counters.replyTimes.sent, limits: limits.map { ($0.name, $0.value) },
      usage: limits.compactMap { limit in limit.used.map { (limit.name, $0) } })
  }

  private func oldestChallengeSeconds(of sessions: [SessionDriver]) -> Double? {
    sessions.compactMap { $0.state.board.oldestRaised }.min().map { max(0, EventLoop.shared.now - $0) }
  }

  private func key(of session: SessionDriver, for peer: Peer) -> SessionKey {
    SessionKey(
      identifier: ObjectIdentifier(session), isPrivateToOthers: !session.isNamed && !peer.sees(session))
  }

  private func credentials(of session: SessionDriver, _ key: SessionKey) -> CredentialTexts {
    session.forgetWhatIsOver()
    return key.isPrivateToOthers ? CredentialTexts() : CredentialTexts(keptIn: session)
  }

  private func describe(
    _ session: SessionDriver, _ key: SessionKey, _ credentials: [Encoded<Sent.StoredCredential>]
  ) {
    let status = daemon.status(of: session, credentials, showsCredentials: !key.isPrivateToOthers)
    sessionTexts[key] = .text(JSONWriter.text(status.write))
  }

  private func key(
    of challenge: PendingChallenge, in session: SessionDriver, for peer: Peer
  ) -> ChallengeKey {
    ChallengeKey(
      identifier: challenge.identifier,
      isOwn: session.tasks[challenge.raiser.task]?.peer == peer.identifier)
  }

  private func describe(_ challenge: PendingChallenge, in session: SessionDriver, for peer: Peer) {
    let key = key(of: challenge, in: session, for: peer)
    guard challengeTexts[key] == nil else { return }
    challengeTexts[key] = .text(
      JSONWriter.text(daemon.describe(challenge, in: session, for: peer).write))
  }
}

extension Histogram {
  fileprivate var sent: Sent.Histogram { Sent.Histogram(bounds: bounds, counts: counts, sum: sum) }
}

/// The peers that subscribe to the status, and the shortest interval of each.
///
/// One round notifies all peers that are due, in steps, and the delay to the next round is proportional to
/// how long this one took. Nothing runs without a change: the first change after a round sets the timer.
@ReactorActor
final class StatusSubscriptions {
  private struct Subscription {
    let uid: UInt32
    let intervalSeconds: Double
    var lastSent = -Double.infinity
    /// Whether something has changed since.
    var isPending = true
  }

  /// Lives as long as the process.
  private unowned let daemon: Daemon
  private var subscriptions: [PeerIdentifier: Subscription] = [:]
  private var pace = StatusPace()
  private var timer: LoopTimer?
  /// Whether the status has changed since the last round began.
  private var hasChanged = false
  /// Whether a round is under way.
  private var isTelling = false

  init(_ daemon: Daemon) { self.daemon = daemon }

  func count(of uid: UInt32) -> Int { subscriptions.values.lazy.filter { $0.uid == uid }.count }

  /// False when the uid has the maximum number.
  func add(_ peer: PeerIdentifier, of uid: UInt32, intervalSeconds: Double) -> Bool {
    guard subscriptions[peer] != nil || count(of: uid) < Limits.statusSubscribersPerUID else { return false }
    subscriptions[peer] = Subscription(uid: uid, intervalSeconds: intervalSeconds)
    scheduleRound()
    return true
  }

  func remove(_ peer: PeerIdentifier) { subscriptions[peer] = nil }

  func noteChange() {
    guard !subscriptions.isEmpty, !hasChanged else { return }
    hasChanged = true
    for peer in subscriptions.keys { subscriptions[peer]?.isPending = true }
    scheduleRound()
  }

  /// For the peer that is due first: it may be another one than before.
  private func scheduleRound() {
    timer?.cancel()
    timer = nil
    guard !isTelling,
      let wanted = subscriptions.values.lazy.filter(\.isPending).map({ $0.lastSent + $0.intervalSeconds })
        .min()
    else { return }
    let now = EventLoop.shared.now
    let wait = pace.nextRound(wantedAt: max(now, wanted)) - now
    timer = EventLoop.shared.schedule(after: wait) { [weak self] in self?.tell() }
  }

  private func tell() {
    timer = nil
    hasChanged = false
    let now = EventLoop.shared.now
    var due: [Peer] = []
    for (identifier, subscription) in subscriptions
    where subscription.isPending && subscription.lastSent + subscription.intervalSeconds <= now {
      subscriptions[identifier]?.lastSent = now
      guard let peer = daemon.peers[identifier] else { continue }
      // A peer that reads slowly gets the next snapshot instead of all.
      guard !peer.isCongested else { continue }
      subscriptions[identifier]?.isPending = false
      due.append(peer)
    }
    guard !due.isEmpty else { return scheduleRound() }
    isTelling = true
    tell(due[...], in: StatusRound(daemon), begunAt: EventLoop.monotonicSeconds())
  }

  private func tell(_ due: ArraySlice<Peer>, in round: StatusRound, begunAt begin: Double) {
    guard let peer = due.first else { return end(begunAt: begin) }
    round.snapshot(for: peer) { snapshot in
      peer.notify(.statusDidChange(snapshot))
      self.tell(due.dropFirst(), in: round, begunAt: begin)
    }
  }

  private func end(begunAt begin: Double) {
    isTelling = false
    let end = EventLoop.monotonicSeconds()
    pace.noteRound(endingAt: end, took: end - begin)
    scheduleRound()
  }
}
