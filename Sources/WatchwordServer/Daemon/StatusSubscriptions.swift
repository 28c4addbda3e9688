internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The peers that subscribe to the status, and the shortest interval of each.
///
/// One round notifies all peers that are due, in steps, and the delay to the next round is proportional to how long
/// this one took. Nothing runs without a change: the first change after a round sets the timer.
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
      peer.notify(StatusDidChange(snapshot))
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
