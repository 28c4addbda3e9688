internal import CSQLite

/// A prepared statement and, while it is stepped, one row of its result.
///
/// A file can be altered so that a column has values of another type than its table says. They are read as
/// nil, and never converted.
package struct Statement: ~Copyable {
  package enum Value {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null
  }

  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  deinit { sqlite3_finalize(statement) }

  /// Carries the statement out with these values for its parameters; it can be run again with others.
  package borrowing func run(_ values: Value...) throws(SQLiteFault) {
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try check(bind(value, at: Int32(index + 1))) }
    while try step() {}
  }

  /// Reads the next row; false: there is none.
  package borrowing func step() throws(SQLiteFault) -> Bool {
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw fault(code) }
    return false
  }

  // MARK: Columns

  package borrowing func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  /// Octets that are no UTF-8 are replaced.
  package borrowing func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let characters = sqlite3_column_text(statement, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
  }

  package borrowing func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let octets = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    guard let octets else { return count == 0 ? [] : nil }
    return Array(UnsafeRawBufferPointer(start: octets, count: count))
  }

  // MARK: Parameters

  private borrowing func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(var text):
      return text.withUTF8 { characters in
        characters.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count))
        }
      }
    case .blob(let octets):
      return octets.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
    }
  }

  private borrowing func check(_ code: Int32) throws(SQLiteFault) {
    guard code == SQLITE_OK else { throw fault(code) }
  }

  private borrowing func fault(_ code: Int32) -> SQLiteFault {
    SQLiteFault(code, of: sqlite3_db_handle(statement))
  }
}
