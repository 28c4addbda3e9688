/// The last things that became of an account's credentials, newest last; a ring of a fixed size.
package struct CredentialHistory: Sendable {
  /// Enough to see what a night's jobs did; some 200 KiB.
  package static let capacity = 1024
  /// So many of the newest entries are compared with a new one, which then only counts: a job that fetches a thousand
  /// files with one credential is one entry.
  private static let comparisons = 8

  private let capacity: Int
  private var entries: [HistoryEntry] = []
  /// Where the next one goes once the ring is full.
  private var next = 0
  /// Of all time.
  package private(set) var recorded = 0

  package init(capacity: Int = CredentialHistory.capacity) { self.capacity = max(1, capacity) }

  package var count: Int { entries.count }

  /// - Returns: Whether it is more than a repetition.
  @discardableResult
  package mutating func record(_ entry: HistoryEntry) -> Bool {
    recorded += 1
    if !entries.isEmpty, entries[index(ofAge: 0)].countIfRepeated(by: entry) { return false }
    return recordApart(entry)
  }

  /// It is not a repetition of the newest one.
  private mutating func recordApart(_ entry: HistoryEntry) -> Bool {
    var entry = entry
    for age in 1..<max(1, min(CredentialHistory.comparisons, entries.count))
    where entries[index(ofAge: age)].isRepeated(by: entry) {
      entry.uses += entries[index(ofAge: age)].uses
      // It is the newest one now.
      for newer in stride(from: age, to: 0, by: -1) {
        entries[index(ofAge: newer)] = entries[index(ofAge: newer - 1)]
      }
      entries[index(ofAge: 0)] = entry
      return false
    }
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[next] = entry
      next = (next + 1) % capacity
    }
    return true
  }

  /// The newest entries that `isWanted`, newest first.
  package func latest(_ limit: Int, where isWanted: (HistoryEntry) -> Bool = { _ in true }) -> [HistoryEntry]
  {
    var latest: [HistoryEntry] = []
    for age in 0..<entries.count {
      guard latest.count < limit else { break }
      let entry = entries[index(ofAge: age)]
      if isWanted(entry) { latest.append(entry) }
    }
    return latest
  }

  /// 0 is the newest.
  private func index(ofAge age: Int) -> Int {
    (next + entries.count - 1 - age) % entries.count
  }
}
