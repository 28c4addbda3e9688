internal import Foundation
internal import GRDB
internal import Glibc
package import WatchwordSecret

/// The vault of one account: a SQLite database whose records are sealed under a random data key.
///
/// The data key is in the database, sealed under each of the keys that open the vault: a key file beside it, a
/// passphrase. WAL with `synchronous=FULL`: a transaction that has returned survives kill -9 and a loss of power. The
/// database is locked exclusively, so that another process cannot open it.
///
/// Its methods block: one thread of their own calls them, and the daemon's start.
package final class Vault: Sendable {
  package static let fileName = "vault.sqlite"
  /// Schema 1: `wrapping` and `record`.
  package static let schemaVersion = 1
  /// "WWvt", in the header of the file.
  private static let applicationID = 0x5757_7674
  private static let keyFileKind = "keyFile"
  private static let passphraseKind = "passphrase"

  package let path: String
  let uid: UInt32
  let queue: DatabaseQueue
  let seal: Seal

  private init(path: String, uid: UInt32, queue: DatabaseQueue, seal: Seal) {
    self.path = path
    self.uid = uid
    self.queue = queue
    self.seal = seal
  }

  // MARK: Opening

  /// - Parameters:
  ///   - directory: private, and locked by this process.
  ///   - isMade: whether a vault with a key file is made when there is none.
  /// - Returns: Nil when there is none and none is made.
  package static func open(
    in directory: String, of uid: UInt32, isMade: Bool, passphrase: Secret? = nil
  ) throws(VaultFault) -> Vault? {
    let path = "\(directory)/\(fileName)"
    let exists = try check(path)
    if !exists && !isMade { return nil }
    if !exists { try createEmpty(path) }
    let queue = try attempt(path) { try openQueue(path) }
    let inspection = try attempt(path) { try queue.writeWithoutTransaction { try inspect($0) } }
    switch inspection {
    case .vault: break
    case .foreign: throw .damaged("\(path): is not a vault")
    case .newer(let version):
      throw .unavailable(
        "\(path): has the schema \(version) of a later version; this one knows \(schemaVersion)")
    case .broken(let text): throw .damaged("\(path): \(text)")
    // Its making was cut short, before anything was kept.
    case .empty where !isMade: return nil
    case .empty:
      let key = try make(queue, path, in: directory, of: uid)
      return Vault(path: path, uid: uid, queue: queue, seal: key)
    }
    let seal = try unwrap(queue, path, in: directory, of: uid, passphrase)
    return Vault(path: path, uid: uid, queue: queue, seal: seal)
  }

  /// Whether there is a file; it must be the account's alone.
  private static func check(_ path: String) throws(VaultFault) -> Bool {
    var information = stat()
    if lstat(path, &information) != 0 {
      guard errno == ENOENT else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
      return false
    }
    guard information.st_mode & S_IFMT == S_IFREG, information.st_uid == getuid(),
      information.st_mode & 0o077 == 0
    else { throw .unavailable("\(path): must be a file of yours alone, with mode 0600") }
    return true
  }

  /// SQLite gives the files beside it the same mode.
  private static func createEmpty(_ path: String) throws(VaultFault) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
    Glibc.close(descriptor)
  }

  private static func openQueue(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      // Before the first look at the file: no memory is shared with other processes then.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      try database.execute(sql: "PRAGMA cell_size_check = ON")
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// What a file is.
  private enum Inspection {
    case empty
    case vault
    case foreign
    case newer(Int)
    case broken(String)
  }

  private static func inspect(_ database: Database) throws -> Inspection {
    let identifier = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard identifier == applicationID else {
      let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      return identifier == 0 && version == 0 && tables == 0 ? .empty : .foreign
    }
    if version > schemaVersion { return .newer(version) }
    guard version == schemaVersion else { return .foreign }
    let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
    guard finding == "ok" else { return .broken(finding) }
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    return .vault
  }

  /// Makes the vault in one transaction: after a crash there is a whole one or none.
  private static func make(
    _ queue: DatabaseQueue, _ path: String, in directory: String, of uid: UInt32
  ) throws(VaultFault) -> Seal {
    let file = KeyFile(in: directory)
    // A key without a vault is from a making that was cut short.
    let key: Secret
    if let found = try file.read() { key = found } else { key = try file.create() }
    guard let dataKey = Seal.randomKey(), let seal = Seal(dataKey), let wrapping = Seal(key),
      let wrapped = wrapping.seal(dataKey, for: associated(uid: uid, kind: keyFileKind))
    else { throw .unavailable("the system has no randomness") }
    try attempt(path) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.write { database in
        try database.execute(
          sql: """
            CREATE TABLE wrapping (
              kind TEXT PRIMARY KEY NOT NULL, parameters BLOB NOT NULL, wrapped BLOB NOT NULL) STRICT;
            CREATE TABLE record (
              number INTEGER PRIMARY KEY NOT NULL, kind TEXT NOT NULL, space BLOB NOT NULL,
              sealed BLOB NOT NULL) STRICT;
            PRAGMA application_id = 0x57577674;
            PRAGMA user_version = 1;
            """)
        try database.execute(
          sql: "INSERT INTO wrapping (kind, parameters, wrapped) VALUES (?, ?, ?)",
          arguments: [keyFileKind, Data(), Data(wrapped)])
      }
    }
    let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, fsync(folder) == 0 else {
      throw .unavailable("\(directory): \(String(cString: strerror(errno)))")
    }
    Glibc.close(folder)
    return seal
  }

  /// Opens the data key with the passphrase, or without one with the key file.
  private static func unwrap(
    _ queue: DatabaseQueue, _ path: String, in directory: String, of uid: UInt32, _ passphrase: Secret?
  ) throws(VaultFault) -> Seal {
    let wrappings = try attempt(path) {
      try queue.read { database in
        try Row.fetchAll(database, sql: "SELECT kind, parameters, wrapped FROM wrapping").map {
          (
            kind: $0["kind"] as String, parameters: [UInt8]($0["parameters"] as Data),
            wrapped: [UInt8]($0["wrapped"] as Data)
          )
        }
      }
    }
    if let passphrase {
      guard let wrapping = wrappings.first(where: { $0.kind == passphraseKind }) else {
        throw .wrongPassphrase
      }
      guard let derivation = PassphraseKey(stored: wrapping.parameters) else {
        throw .damaged("\(path): the parameters of its passphrase are malformed")
      }
      guard let key = derivation.key(from: passphrase), let opener = Seal(key) else {
        throw .unavailable("no memory for scrypt")
      }
      guard let dataKey = opener.open(wrapping.wrapped, for: associated(uid: uid, kind: passphraseKind)),
        let seal = Seal(dataKey)
      else { throw .wrongPassphrase }
      return seal
    }
    guard let wrapping = wrappings.first(where: { $0.kind == keyFileKind }) else {
      throw wrappings.isEmpty ? .damaged("\(path): no key opens it") : .locked
    }
    let file = KeyFile(in: directory)
    guard let key = try file.read(), let opener = Seal(key) else {
      throw .unavailable("\(file.path): is missing, and opens the vault beside it")
    }
    guard let dataKey = opener.open(wrapping.wrapped, for: associated(uid: uid, kind: keyFileKind)),
      let seal = Seal(dataKey)
    else { throw .damaged("\(file.path): does not fit the vault beside it") }
    return seal
  }

  private static func associated(uid: UInt32, kind: String) -> [UInt8] {
    var octets = Array("watchword data key".utf8) + [0]
    withUnsafeBytes(of: uid.bigEndian) { octets += $0 }
    return octets + Array(kind.utf8)
  }

  /// Nothing can be read or written any more.
  package func close() { try? queue.close() }

  // MARK: Faults

  /// Runs SQLite and says what its errors mean.
  static func attempt<Result>(_ path: String, _ body: () throws -> Result) throws(VaultFault) -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      // The message is SQLite's own; arguments are not in it.
      let text = "\(path): \(error.message ?? "\(error.resultCode)")"
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_MISMATCH: throw .damaged(text)
      case .SQLITE_BUSY, .SQLITE_LOCKED: throw .unavailable("\(path): another process has it open")
      default: throw .unavailable(text)
      }
    } catch {
      throw .damaged("\(path): cannot be read")
    }
  }
}
