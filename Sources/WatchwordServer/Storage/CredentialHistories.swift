internal import WatchwordCore
internal import WatchwordReactor

/// What became of credentials, of each uid; for the administrator's file and journal, too.
@ReactorActor
final class CredentialHistories {
  private var histories: [UInt32: CredentialHistory] = [:]
  private let file: HistoryFile?
  private let journal: HistoryJournal?
  private let counters: Counters

  init(file: HistoryFile?, journal: HistoryJournal?, counters: Counters) {
    self.file = file
    self.journal = journal
    self.counters = counters
  }

  func record(_ entry: HistoryEntry, of uid: UInt32) {
    if entry.outcome == .restricted { counters.restrictionViolations += 1 }
    counters.historyEntries += 1
    let isNew = histories[uid, default: CredentialHistory()].record(entry)
    guard isNew else { return }
    file?.add(entry, of: uid)
    journal?.add(entry, of: uid)
  }

  func count(of uid: UInt32) -> Int { histories[uid]?.count ?? 0 }

  /// The newest of these entries of the uid.
  func latest(_ limit: Int, of uid: UInt32, where isWanted: (HistoryEntry) -> Bool) -> [HistoryEntry] {
    histories[uid]?.latest(limit, where: isWanted) ?? []
  }
}
