internal import CSQLite

/// One connection to a database in a file, which one thread uses at a time.
///
/// There is no timeout: a database that another connection has locked is an error at once.
package final class Database {
  /// Nil after ``close()``.
  private var connection: OpaquePointer?

  /// - Parameter path: a file that exists; it may be empty.
  package init(path: String) throws(SQLiteFault) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // A connection that failed to open has the reason, and is closed by `deinit`.
    try check(sqlite3_open_v2(path, &connection, flags, nil))
    try check(csqlite_forbid_quoted_strings(connection))
  }

  deinit { close() }

  /// Copies what is in the write-ahead log into the file, as far as the disk lets it, and unlocks it. Nothing
  /// can be read or written any more.
  package func close() {
    // Unlike `sqlite3_close`, it succeeds while there are statements: the last of them closes the connection.
    sqlite3_close_v2(connection)
    connection = nil
  }

  /// From now on closing writes nothing: neither the file nor the write-ahead log is touched.
  package func leaveFiles() {
    if let connection { _ = csqlite_keep_log(connection) }
  }

  /// Carries out statements that have no parameters, one after the other until one fails.
  package func execute(_ statements: String) throws(SQLiteFault) {
    let connection = try open()
    try check(sqlite3_exec(connection, statements, nil, nil, nil))
  }

  /// - Parameter text: one statement; `?` are its parameters.
  package func prepare(_ text: String) throws(SQLiteFault) -> Statement {
    let connection = try open()
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, text, -1, &statement, nil))
    guard let statement else { throw SQLiteFault(SQLITE_MISUSE, "there is no statement") }
    return Statement(statement)
  }

  /// The first value of a query; nil when there is none, or it is no integer.
  package func integer(_ query: String) throws(SQLiteFault) -> Int64? {
    let statement = try prepare(query)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first value of a query; nil when there is none, or it is no text.
  package func text(_ query: String) throws(SQLiteFault) -> String? {
    let statement = try prepare(query)
    return try statement.step() ? statement.text(0) : nil
  }

  /// All that `body` writes is on the disk when this returns, or nothing is.
  ///
  /// The database is locked for writing from the start: a transaction never fails because it began as a
  /// reader.
  package func transaction<Result>(
    _ body: () throws(SQLiteFault) -> Result
  ) throws(SQLiteFault) -> Result {
    try execute("BEGIN IMMEDIATE TRANSACTION")
    do throws(SQLiteFault) {
      let result = try body()
      try execute("COMMIT TRANSACTION")
      return result
    } catch {
      // After some faults, such as a full disk, SQLite has rolled back already.
      if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK TRANSACTION") }
      throw error
    }
  }

  private func open() throws(SQLiteFault) -> OpaquePointer {
    guard let connection else { throw SQLiteFault(SQLITE_MISUSE, "the database is closed") }
    return connection
  }

  private func check(_ code: Int32) throws(SQLiteFault) {
    guard code == SQLITE_OK else { throw SQLiteFault(code, of: connection) }
  }
}

/// Why SQLite did not carry something out.
package struct SQLiteFault: Error, Sendable, Equatable {
  /// Who can do something about it.
  package enum Kind: Sendable {
    /// The file is no database, or is not as SQLite or we have written it.
    case damaged
    /// Another connection has it open.
    case busy
    /// The disk, a mode, memory, or the statement itself.
    case failed
  }

  /// SQLite's extended result code.
  package let code: Int32
  /// SQLite's own text; values that were bound are not in it.
  package let message: String

  package var kind: Kind {
    // The primary code is the lowest octet of every extended one.
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA, SQLITE_MISMATCH: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    default: .failed
    }
  }

  /// The last fault of a connection; SQLite has no memory for one that is nil.
  init(_ code: Int32, of connection: OpaquePointer?) {
    self.code = code
    message = String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
  }

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }
}
