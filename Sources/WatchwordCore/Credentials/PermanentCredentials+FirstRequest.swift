internal import WatchwordVocabulary

/// The records that go with the first request (storage.md 9.4.6).
extension PermanentCredentials {
  /// Whether any goes with the first request: nearly none does.
  var hasPreemptive: Bool { table.preemptiveCount > 0 }

  /// Where an origin has records.
  func spaces(of origin: Origin) -> [ProtectionSpace] { table.spaces(of: origin) }

  /// The default users' records of this hop that go with this request before the server asks.
  func preemptive(for use: CredentialUse, over ways: [CallersWay]) -> [Entry] {
    table.spaces(of: use.url.origin).filter { $0.proxyType == use.proxyType }
      .flatMap { table.defaultsOfPaths(of: $0, for: use) + table.keys(of: $0).prefix(1) }
      .compactMap { table[$0] }
      .filter { entry in
        entry.credential.isPreemptive && entry.isDefault && entry.permits(use) && entry.counts(over: ways)
          && !entry.record.isOver(now: use.now, wallClock: use.wallClock)
      }
  }
}
