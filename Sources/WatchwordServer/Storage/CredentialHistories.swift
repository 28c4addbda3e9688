internal import WatchwordCore
internal import WatchwordReactor

/// What became of credentials, of each uid; for the administrator's file, too.
@ReactorActor
final class CredentialHistories {
  private var histories: [UInt32: CredentialHistory] = [:]
  private let file: HistoryFile?
  private let counters: Counters

  init(file: HistoryFile?, counters: Counters) {
    self.file = file
    self.counters = counters
  }

  func record(_ entry: HistoryEntry, of uid: UInt32) {
    if entry.outcome == .restricted { counters.restrictionViolations += 1 }
    counters.historyEntries += 1
    let isNew = histories[uid, default: CredentialHistory()].record(entry)
    if isNew { file?.add(entry, of: uid) }
  }

  func count(of uid: UInt32) -> Int { histories[uid]?.count ?? 0 }

  /// The newest entries of the peer's uid, without those of private sessions of other connections.
  func latest(
    _ limit: Int, for peer: Peer, where isWanted: (HistoryEntry) -> Bool = { _ in true }
  ) -> [HistoryEntry] {
    histories[peer.process.uid]?.latest(limit) { peer.mayRead($0) && isWanted($0) } ?? []
  }
}
