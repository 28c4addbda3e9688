internal import CSQLite

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
