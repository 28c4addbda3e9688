internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor

/// Who wants to hear that the status has changed, and how often at most.
///
/// Nothing runs while nothing changes: a timer is set by the first change after a notification.
@ReactorActor
final class StatusSubscriptions {
  private final class Subscription {
    let intervalSeconds: Double
    var lastSent = -Double.infinity
    var timer: LoopTimer?

    init(intervalSeconds: Double) { self.intervalSeconds = intervalSeconds }
  }

  /// Lives as long as the process.
  private unowned let daemon: Daemon
  private var subscriptions: [PeerIdentifier: Subscription] = [:]

  init(_ daemon: Daemon) { self.daemon = daemon }

  func add(_ peer: PeerIdentifier, intervalSeconds: Double) {
    remove(peer)
    subscriptions[peer] = Subscription(intervalSeconds: intervalSeconds)
    noteChange()
  }

  func remove(_ peer: PeerIdentifier) {
    subscriptions.removeValue(forKey: peer)?.timer?.cancel()
  }

  func noteChange() {
    guard !subscriptions.isEmpty else { return }
    let now = EventLoop.shared.now
    for (peer, subscription) in subscriptions where subscription.timer == nil {
      let wait = max(0, subscription.lastSent + subscription.intervalSeconds - now)
      subscription.timer = EventLoop.shared.schedule(after: wait) { [weak self] in self?.send(to: peer) }
    }
  }

  private func send(to identifier: PeerIdentifier) {
    guard let subscription = subscriptions[identifier], let peer = daemon.peers[identifier] else { return }
    subscription.timer = nil
    subscription.lastSent = EventLoop.shared.now
    // A peer that reads slowly gets the next snapshot, not all of them.
    guard !peer.isCongested else { return noteChange() }
    peer.notify(StatusDidChange(daemon.snapshot(for: peer)))
  }
}
