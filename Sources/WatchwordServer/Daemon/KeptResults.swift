internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The results of detached tasks, kept for a while for `task/describe`.
@ReactorActor
final class KeptResults {
  struct EndedTask {
    /// The only connection that may see it; nil when the session is a named one, which its whole uid may use.
    ///
    /// Not the session: an entry would also keep its secrets in memory.
    let viewer: PeerIdentifier?
    let description: Sent.TaskSummary
    /// The finished task's result or error as JSON text.
    let member: String
    let text: [UInt8]
    /// For the text.
    let charge: MemoryCharge
    let expires: Double
  }

  private var entries: [TaskName: EndedTask] = [:]
  private var order: [TaskName] = []
  private var bytes = 0
  private var timer: LoopTimer?

  /// Of all results together: they contain inline bodies, and may never be read. The newest is kept
  /// regardless of its size.
  private static let maximumBytes = 64 * 1024 * 1024

  nonisolated init() {}

  func keep(_ entry: EndedTask, as name: TaskName) {
    removeExpired()
    if entries[name] != nil {
      order.removeAll { $0 == name }
      forget(name)
    }
    bytes += entry.text.count
    while let first = order.first, order.count >= Limits.keptResults || bytes > KeptResults.maximumBytes {
      order.removeFirst()
      forget(first)
    }
    entries[name] = entry
    order.append(name)
    scheduleExpiry()
  }

  /// Those that no single connection is for, the oldest first.
  var ofNamedSessions: [(name: TaskName, entry: EndedTask)] {
    removeExpired()
    return order.compactMap { name in entries[name].map { (name, $0) } }.filter { $0.entry.viewer == nil }
  }

  var count: Int {
    removeExpired()
    return entries.count
  }

  /// Nil also for a result that this connection may not see.
  func entry(_ name: TaskName, for peer: PeerIdentifier) -> EndedTask? {
    removeExpired()
    guard let entry = entries[name], entry.viewer == nil || entry.viewer == peer else { return nil }
    return entry
  }

  private func removeExpired() {
    let now = EventLoop.shared.now
    while let first = order.first, let entry = entries[first], entry.expires <= now {
      order.removeFirst()
      forget(first)
    }
  }

  private func scheduleExpiry() {
    guard timer == nil, let first = order.first.flatMap({ entries[$0] }) else { return }
    timer = EventLoop.shared.schedule(after: first.expires - EventLoop.shared.now) { [weak self] in
      self?.timer = nil
      self?.removeExpired()
      self?.scheduleExpiry()
    }
  }

  private func forget(_ name: TaskName) {
    if let entry = entries.removeValue(forKey: name) { bytes -= entry.text.count }
  }
}
