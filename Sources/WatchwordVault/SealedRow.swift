internal import WatchwordSQLite

/// A record as it is in the file.
struct SealedRow {
  let number: Int64
  let kind: String
  let space: [UInt8]
  let sealed: [UInt8]

  /// Of a record that is too large, nothing is read.
  static let query = """
    SELECT number, kind, space,
      CASE WHEN length(sealed) <= \(VaultRecord.maximumBytes + Seal.overhead) THEN sealed END
    FROM record ORDER BY number
    """

  /// Nil for a row that is too large, or that has a value of a wrong type.
  init?(_ row: borrowing Statement) {
    guard let number = row.integer(0), let kind = row.text(1), let space = row.blob(2),
      let sealed = row.blob(3)
    else { return nil }
    self.number = number
    self.kind = kind
    self.space = space
    self.sealed = sealed
  }

  static func all(in database: Database) throws(SQLiteFault) -> [SealedRow] {
    var found: [SealedRow] = []
    let rows = try database.prepare(query)
    while try rows.step() {
      if let row = SealedRow(rows) { found.append(row) }
    }
    return found
  }

  func associated(_ uid: UInt32) -> [UInt8] {
    VaultRecord.associated(uid: uid, number: number, kind: kind, space: space)
  }
}
