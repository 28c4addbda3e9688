internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVault
internal import WatchwordVocabulary

/// Permanent trust decisions as records of a vault: one for each decision, and one, the ledger, for what is known of
/// their numbers.
enum TrustRecords {
  private static let ledger = VaultRecord.Kind.trust.numbers.lowerBound

  /// - Returns: Nil when a decision cannot be written down, for example because of a name without end.
  static func records(of difference: PermanentTrust.Difference, in trust: PermanentTrust) -> [VaultRecord]? {
    var records: [VaultRecord] = []
    for entry in difference.written {
      guard let record = record(of: entry) else { return nil }
      records.append(record)
    }
    guard difference.isLedgerNew else { return records }
    let kept = PermanentTrust.Ledger(lastNumber: trust.lastNumber)
    return records + [VaultRecord(number: ledger, kind: .trust, space: [], contents: kept.contents)]
  }

  static func record(of entry: PermanentTrust.Entry) -> VaultRecord? {
    let contents = entry.contents
    guard PermanentTrust.Entry(contents: contents) == entry else { return nil }
    return VaultRecord(
      number: number(of: entry.number), kind: .trust, space: entry.decision.origin.vaultOctets,
      contents: contents)
  }

  /// The number of the record of a decision.
  static func number(of decision: UInt64) -> UInt64 { ledger + decision }

  /// The decision of a record; nil for what this version does not understand, and for the ledger.
  static func entry(of record: VaultRecord) -> PermanentTrust.Entry? {
    guard let entry = PermanentTrust.Entry(contents: record.contents),
      record.space == entry.decision.origin.vaultOctets
    else { return nil }
    return entry
  }

  /// What the records of a vault are, and how many of them are not understood.
  static func trust(in records: [VaultRecord]) -> (PermanentTrust, unreadable: Int) {
    var entries: [PermanentTrust.Entry] = []
    var kept: PermanentTrust.Ledger?
    var unreadable = 0
    for record in records where record.kind == .trust {
      if record.number == ledger {
        kept = PermanentTrust.Ledger(contents: record.contents)
        if kept == nil { unreadable += 1 }
      } else if let entry = entry(of: record), number(of: entry.number) == record.number {
        entries.append(entry)
      } else {
        unreadable += 1
      }
    }
    let last = max(kept?.lastNumber ?? 0, entries.map(\.number).max() ?? 0)
    guard let trust = PermanentTrust(entries, lastNumber: last) else {
      return (PermanentTrust(), unreadable + entries.count)
    }
    return (trust, unreadable)
  }
}
