internal import Foundation
internal import GRDB
internal import WatchwordPrimitives
internal import WatchwordSecret

extension Vault {
  /// What a vault holds.
  package struct Contents: Sendable {
    package fileprivate(set) var records: [VaultRecord] = []
    /// Records that do not open: altered, too large, or copied from another account or space. They are left where they
    /// are.
    package fileprivate(set) var unreadable = 0
  }

  /// Reads and opens every record.
  package func contents() throws(VaultFault) -> Contents {
    try Vault.attempt(path) {
      try queue.read { database in
        var contents = Contents()
        let rows = try Row.fetchCursor(
          database, sql: "SELECT number, kind, space, \(Vault.boundedSeal) FROM record ORDER BY number")
        while let row = try rows.next() {
          if let record = open(row) { contents.records.append(record) } else { contents.unreadable += 1 }
        }
        return contents
      }
    }
  }

  /// Of a record that is too large, nothing is read.
  static let boundedSeal =
    "CASE WHEN length(sealed) <= \(VaultRecord.maximumBytes + Seal.overhead) THEN sealed END AS sealed"

  /// Nil for a record that does not open.
  func open(_ row: Row) -> VaultRecord? {
    let seal = keys.withLock { $0.seal }
    guard let kind = VaultRecord.Kind(rawValue: row["kind"] as String),
      let number = UInt64(exactly: row["number"] as Int64), kind.numbers.contains(number),
      let sealed = row["sealed"] as Data?, let contents = seal.open([UInt8](sealed), for: associated(row))
    else { return nil }
    return VaultRecord(number: number, kind: kind, space: [UInt8](row["space"] as Data), contents: contents)
  }

  func associated(_ row: Row) -> [UInt8] {
    VaultRecord.associated(
      uid: uid, number: row["number"], kind: row["kind"], space: [UInt8](row["space"] as Data))
  }

  /// Writes and removes records in one transaction: all of it is on the disk when this returns, or nothing is.
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
    try Vault.attempt(path) {
      try queue.write { database in
        let removal = try database.cachedStatement(sql: "DELETE FROM record WHERE number = ?")
        for number in removed.compactMap({ Int64(exactly: $0) }) { try removal.execute(arguments: [number]) }
        let insertion = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO record (number, kind, space, sealed) VALUES (?, ?, ?, ?)")
        for row in rows {
          try insertion.execute(
            arguments: [row.number, row.record.kind.rawValue, Data(row.record.space), Data(row.sealed)])
        }
      }
    }
  }
}
