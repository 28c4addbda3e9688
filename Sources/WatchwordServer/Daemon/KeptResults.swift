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

  nonisolated init() {}

  func keep(_ entry: Entry, as name: TaskName) {
    removeExpired()
    if entries[name] != nil { order.removeAll { $0 == name } }
    if order.count >= Limits.keptResults { entries[order.removeFirst()] = nil }
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
      entries[first] = nil
      order.removeFirst()
    }
  }
}
