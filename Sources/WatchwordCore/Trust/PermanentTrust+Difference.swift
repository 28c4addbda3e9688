extension PermanentTrust {
  /// What a store has to write to hold another state.
  package struct Difference: Sendable, Equatable {
    package let written: [Entry]
    /// Their numbers.
    package let removed: [UInt64]
    /// Whether the last number is another one.
    package let isLedgerNew: Bool

    package var isEmpty: Bool { written.isEmpty && removed.isEmpty && !isLedgerNew }
  }

  /// - Parameter stored: what the store has.
  package func difference(from stored: PermanentTrust) -> Difference {
    let old = Dictionary(uniqueKeysWithValues: stored.all.map { ($0.number, $0) })
    let new = all
    let numbers = Set(new.map(\.number))
    return Difference(
      written: new.filter { old[$0.number] != $0 },
      removed: old.keys.filter { !numbers.contains($0) }.sorted(),
      isLedgerNew: lastNumber != stored.lastNumber)
  }
}
