internal import WatchwordCore
internal import WatchwordReactor

extension CredentialHistories {
  /// The newest entries of the peer's uid, without those of private sessions of other connections.
  func latest(
    _ limit: Int, for peer: Peer, where isWanted: (HistoryEntry) -> Bool = { _ in true }
  ) -> [HistoryEntry] {
    latest(limit, of: peer.process.uid) { peer.mayRead($0) && isWanted($0) }
  }
}
