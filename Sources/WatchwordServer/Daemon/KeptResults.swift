internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// What detached tasks came to, kept for a while for `task/describe`.
@ReactorActor
final class KeptResults {
  struct Entry {
    let session: Session
    let description: TaskDescription
    /// The finished task's answer or error as JSON text.
    let member: String
    let text: [UInt8]
    let expires: Double
  }

  private var entries: [TaskName: Entry] = [:]
  private var order: [TaskName] = []
  private var bytes = 0

  /// Of all answers together: inline bodies are in them, and nobody may ever ask. The newest is kept whatever its size.
  private static let maximumBytes = 64 * 1024 * 1024

  nonisolated init() {}

  func keep(_ entry: Entry, as name: TaskName) {
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
  }

  var count: Int {
    removeExpired()
    return entries.count
  }

  subscript(name: TaskName) -> Entry? {
    removeExpired()
    return entries[name]
  }

  private func removeExpired() {
    let now = EventLoop.shared.now
    while let first = order.first, entries[first].map({ $0.expires <= now }) ?? true {
      order.removeFirst()
      forget(first)
    }
  }

  private func forget(_ name: TaskName) {
    if let entry = entries.removeValue(forKey: name) { bytes -= entry.text.count }
  }
}
