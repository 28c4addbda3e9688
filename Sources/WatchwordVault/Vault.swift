internal import Glibc
package import WatchwordCore
internal import WatchwordVocabulary

/// The vault of one account: a SQLite database whose records are sealed under a random data key.
///
/// The data key is in the database, sealed under each key that opens the vault: that of a key file beside it,
/// of the Secret Service, of a credential of systemd, of a passphrase. WAL with `synchronous=FULL`: a
/// transaction that has returned survives kill -9 and a loss of power. The database is locked exclusively, so
/// that another process cannot open it.
///
/// Its methods block: one thread of their own calls them, and the daemon's start.
package final class Vault: Sendable {
  package static let fileName = "vault.sqlite"
  /// Of the tables and of what records say. A vault of another schema is refused, and left as it is.
  package static let schemaVersion = 5
  /// "WWvt", in the header of the file.
  private static let applicationID = 0x5757_7674

  package let path: String
  let uid: UInt32
  let database: Locked<Database>
  /// The file as the last transaction has left it.
  private let state: Locked<FileState>
  let directory: String
  let keys: Locked<Keys>
  /// Why a new vault has a key file, when the Secret Service was asked.
  package let refusal: VaultFault?

  private init(
    path: String, directory: String, uid: UInt32, database: Database, keys: Keys,
    refusal: VaultFault? = nil
  ) throws(VaultFault) {
    guard let state = FileState(of: path) else { throw .damaged("\(path): was removed while it was opened") }
    self.state = Locked(state)
    self.refusal = refusal
    self.path = path
    self.directory = directory
    self.uid = uid
    self.database = Locked(database)
    self.keys = Locked(keys)
  }

  /// What opens it; the one that has opened it comes first.
  package var openers: [Opener.Kind] { keys.withLock { $0.openers.map(\.kind) } }

  /// Of its passphrase; nil when it has none.
  package var passphraseKey: DerivedKey? {
    keys.withLock { keys in
      keys.openers.first { $0.kind == .passphrase }.map {
        DerivedKey(parameters: $0.parameters, key: $0.seal.key)
      }
    }
  }

  // MARK: Opening

  /// - Parameters:
  ///   - directory: private, and locked by this process.
  ///   - isMade: whether a vault is made when there is none: with the passphrase, else with the credential of
  ///     systemd, else with the Secret Service, else with a key file.
  ///   - given: deriving a key from each takes a tenth of a second.
  /// - Returns: Nil when there is none and none is made.
  package static func open(
    in directory: String, of uid: UInt32, isMade: Bool, given: GivenKeys = GivenKeys()
  ) throws(VaultFault) -> Vault? {
    let path = "\(directory)/\(fileName)"
    let exists = try check(path)
    if !exists && !isMade { return nil }
    let making = VaultMaking(in: directory)
    if !exists {
      try making.begin()
      try createEmpty(path)
    }
    let database = try attempt(path) { () throws(SQLiteFault) in try openDatabase(path) }
    let inspection = try attempt(path) { () throws(SQLiteFault) in try inspect(database) }
    switch inspection {
    case .vault: break
    case .foreign: throw .damaged("\(path): is not a vault")
    case .otherSchema(let version):
      database.leaveFiles()
      throw .unavailable("\(path): has the schema \(version), and this version knows only \(schemaVersion)")
    case .broken(let text): throw .damaged("\(path): \(text)")
    case .empty where !making.isUnfinished:
      database.leaveFiles()
      throw .damaged("\(path): is empty, and was not left so by the daemon")
    // Its making was cut short, before anything was kept.
    case .empty where !isMade: return nil
    case .empty:
      let (keys, refusal) = try make(database, path, in: directory, of: uid, given)
      try making.end()
      return try Vault(
        path: path, directory: directory, uid: uid, database: database, keys: keys, refusal: refusal)
    }
    let keys = try unwrap(database, path, in: directory, of: uid, given)
    try making.end()
    return try Vault(path: path, directory: directory, uid: uid, database: database, keys: keys)
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

  private static func openDatabase(_ path: String) throws(SQLiteFault) -> Database {
    let database = try Database(path: path)
    // The lock comes before the first look at the file: no memory is shared with other processes then.
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
      PRAGMA synchronous = FULL;
      """)
    return database
  }

  /// What a file is.
  private enum Inspection {
    case empty
    case vault
    case foreign
    case otherSchema(Int64)
    case broken(String)
  }

  private static func inspect(_ database: Database) throws(SQLiteFault) -> Inspection {
    let identifier = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard identifier == applicationID else {
      let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      return identifier == 0 && version == 0 && tables == 0 ? .empty : .foreign
    }
    guard version == schemaVersion else { return .otherSchema(version) }
    let finding = try database.text("PRAGMA quick_check(1)") ?? ""
    guard finding == "ok" else { return .broken(finding) }
    try database.execute("PRAGMA journal_mode = WAL")
    return .vault
  }

  /// Makes the vault in one transaction: after a crash there is a whole one or none.
  private static func make(
    _ database: Database, _ path: String, in directory: String, of uid: UInt32, _ given: GivenKeys
  ) throws(VaultFault) -> (keys: Keys, refusal: VaultFault?) {
    var refusal: VaultFault?
    let opener: Opener
    if let passphrase = given.passphrase {
      opener = try .new(.passphrase, from: passphrase)
    } else if let credential = try given.wantedCredential() {
      opener = try .new(.systemdCredential, from: credential)
    } else if let kept = kept(path, given, &refusal) {
      opener = kept
    } else {
      opener = try .keyFile(of: directory)
    }
    let keys = Keys(seal: try newSeal(), openers: [opener])
    let wrappings = try keys.wrappings(of: uid)
    try attempt(path) { () throws(SQLiteFault) in
      try database.execute("PRAGMA journal_mode = WAL")
      try database.transaction { () throws(SQLiteFault) in
        try database.execute(
          """
          CREATE TABLE wrapping (
            kind TEXT PRIMARY KEY NOT NULL, parameters BLOB NOT NULL, wrapped BLOB NOT NULL,
            key BLOB NOT NULL) STRICT;
          CREATE TABLE record (
            number INTEGER PRIMARY KEY NOT NULL, kind TEXT NOT NULL, space BLOB NOT NULL,
            sealed BLOB NOT NULL) STRICT;
          PRAGMA application_id = \(applicationID);
          PRAGMA user_version = \(schemaVersion);
          """)
        try Wrapping.replace(wrappings, in: database)
      }
    }
    return (keys, refusal)
  }

  /// Nil when the Secret Service does not take a key.
  private static func kept(_ path: String, _ given: GivenKeys, _ refusal: inout VaultFault?) -> Opener? {
    guard case .now(let service) = given.secretService else { return nil }
    do throws(VaultFault) {
      return try .kept(in: service, for: path)
    } catch {
      refusal = error
      return nil
    }
  }

  static func newSeal() throws(VaultFault) -> Seal {
    guard let key = Seal.randomKey(), let seal = Seal(key) else {
      throw .unavailable("the system has no randomness")
    }
    return seal
  }

  /// Nothing can be read or written any more.
  package func close() { database.withLock { $0.close() } }

  // MARK: SQLite

  /// One thread at a time.
  func withDatabase<Result>(
    _ body: (Database) throws(SQLiteFault) -> Result
  ) throws(VaultFault) -> Result {
    try Vault.attempt(path) { () throws(SQLiteFault) in
      try database.withLock { (database) throws(SQLiteFault) in try body(database) }
    }
  }

  /// All of it is on the disk when this returns, or nothing is.
  ///
  /// SQLite does not notice that its file was replaced or emptied, and would write to a file that is not read
  /// again.
  func transact<Result>(_ body: (Database) throws(SQLiteFault) -> Result) throws(VaultFault) -> Result {
    let before = state.withLock { $0 }
    guard let now = FileState(of: path) else { throw .damaged("\(path): was removed") }
    guard now.isSameFile(as: before) else { throw .damaged("\(path): was replaced by another file") }
    guard now == before else {
      database.withLock { $0.leaveFiles() }
      throw .damaged("\(path): was altered by another program")
    }
    let result = try withDatabase { (database) throws(SQLiteFault) in
      try database.transaction { () throws(SQLiteFault) in try body(database) }
    }
    guard let after = FileState(of: path), after.isSameFile(as: before) else {
      throw .damaged("\(path): was replaced by another file")
    }
    state.withLock { $0 = after }
    return result
  }

  /// Runs SQLite and says what its errors mean.
  static func attempt<Result>(
    _ path: String, _ body: () throws(SQLiteFault) -> Result
  ) throws(VaultFault) -> Result {
    do throws(SQLiteFault) {
      return try body()
    } catch {
      switch error.kind {
      case .damaged: throw .damaged("\(path): \(error.message)")
      case .busy: throw .unavailable("\(path): another process has it open")
      case .failed: throw .unavailable("\(path): \(error.message)")
      }
    }
  }
}
