package import WatchwordCore
internal import WatchwordVocabulary

extension Vault {
  /// What a vault holds.
  package struct Contents: Sendable {
    package fileprivate(set) var records: [VaultRecord] = []
    /// Records that do not open: altered, too large, or copied from another account or space. They are left
    /// where they are.
    package fileprivate(set) var unreadable = 0
  }

  /// Reads and opens every record.
  package func contents() throws(VaultFault) -> Contents {
    try withDatabase { (database) throws(SQLiteFault) in
      var contents = Contents()
      let rows = try database.prepare(SealedRow.query)
      while try rows.step() {
        if let record = SealedRow(rows).flatMap(open) {
          contents.records.append(record)
        } else {
          contents.unreadable += 1
        }
      }
      return contents
    }
  }

  /// Nil for a record that does not open.
  func open(_ row: SealedRow) -> VaultRecord? {
    let seal = keys.withLock { $0.seal }
    guard let kind = VaultRecord.Kind(rawValue: row.kind), let number = UInt64(exactly: row.number),
      kind.numbers.contains(number), let contents = seal.open(row.sealed, for: row.associated(uid))
    else { return nil }
    return VaultRecord(number: number, kind: kind, space: row.space, contents: contents)
  }

  /// Writes and removes records in one transaction: all of it is on the disk when this returns, or nothing
  /// is.
  package func write(_ records: [VaultRecord], removing removed: [UInt64]) throws(VaultFault) {
    let seal = keys.withLock { $0.seal }
    var rows: [(number: Int64, record: VaultRecord, sealed: [UInt8])] = []
    for record in records {
      guard record.contents.count <= VaultRecord.maximumBytes else {
        throw .unavailable("a record of more than \(VaultRecord.maximumBytes) bytes")
      }
      guard let number = Int64(exactly: record.number),
        let sealed = seal.seal(
          record.contents,
          for: VaultRecord.associated(
            uid: uid, number: number, kind: record.kind.rawValue, space: record.space))
      else { throw .unavailable("the system has no randomness") }
      rows.append((number, record, sealed))
    }
    try transact { (database) throws(SQLiteFault) in
      let removal = try database.prepare("DELETE FROM record WHERE number = ?")
      for number in removed.compactMap({ Int64(exactly: $0) }) { try removal.run(.integer(number)) }
      let insertion = try database.prepare(
        "INSERT OR REPLACE INTO record (number, kind, space, sealed) VALUES (?, ?, ?, ?)")
      for row in rows {
        try insertion.run(
          .integer(row.number), .text(row.record.kind.rawValue), .blob(row.record.space), .blob(row.sealed))
      }
    }
  }
}
