import Foundation
import Testing

@testable import WatchwordVault

@Suite struct DatabaseTests {
  /// An empty file, removed with its owner.
  final class Place {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "watchword-sqlite-\(UUID().uuidString)"
      try Data().write(to: URL(fileURLWithPath: path))
    }

    deinit {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
  }

  private let place: Place
  private let database: Database

  init() throws {
    place = try Place()
    database = try Database(path: place.path)
    try database.execute("CREATE TABLE item (number INTEGER PRIMARY KEY, value); CREATE TABLE other (a)")
  }

  private func fault(_ body: () throws -> Void) -> SQLiteFault? {
    do {
      try body()
      return nil
    } catch {
      return error as? SQLiteFault
    }
  }

  private func put(_ number: Int64, _ value: Statement.Value) throws {
    try database.prepare("INSERT INTO item VALUES (?, ?)").run(.integer(number), value)
  }

  @Test func valuesComeBackAsTheyWere() throws {
    let texts = ["", "plain", "a\0b", "\u{1F5DD}"]
    let blobs: [[UInt8]] = [[], [0], Array(repeating: 0xff, count: 70_000)]
    for text in texts {
      try database.execute("DELETE FROM item")
      try put(.max, .text(text))
      #expect(try database.text("SELECT value FROM item") == text)
      #expect(try database.integer("SELECT number FROM item") == .max)
    }
    for blob in blobs {
      try database.execute("DELETE FROM item")
      try put(.min, .blob(blob))
      let rows = try database.prepare("SELECT number, value FROM item")
      #expect(try rows.step())
      #expect(rows.integer(0) == .min && rows.blob(1) == blob)
      #expect(try !rows.step())
    }
  }

  @Test func aStatementRunsAgainWithOtherValues() throws {
    let insertion = try database.prepare("INSERT INTO item VALUES (?, ?)")
    try insertion.run(.integer(1), .text("one"))
    // A value that is left out is not that of the run before.
    try insertion.run(.integer(2))
    // Nor does a run that failed end the others.
    #expect(fault { try insertion.run(.integer(1), .text("again")) }?.code == 1555)
    try insertion.run(.integer(3), .null)
    #expect(try database.integer("SELECT count(*) FROM item WHERE value IS NULL") == 2)
  }

  @Test func valuesOfAnotherTypeAreNil() throws {
    for (number, value) in [Statement.Value.integer(7), .text("7"), .blob([55]), .null].enumerated() {
      try put(Int64(number), value)
    }
    try database.execute("INSERT INTO item VALUES (4, 7.5)")
    let rows = try database.prepare("SELECT value FROM item ORDER BY number")
    var found: [[Bool]] = []
    while try rows.step() {
      found.append([rows.integer(0) != nil, rows.text(0) != nil, rows.blob(0) != nil])
    }
    #expect(
      found == [
        [true, false, false], [false, true, false], [false, false, true], [false, false, false],
        [false, false, false],
      ])
    // Neither a column that is not there nor a row that is over is read.
    #expect(rows.integer(0) == nil && rows.text(9) == nil && rows.blob(-1) == nil)
    #expect(try database.integer("SELECT 'seven'") == nil)
    #expect(try database.text("SELECT 7 WHERE 0") == nil)
  }

  @Test func textThatIsNoUTF8IsReplaced() throws {
    #expect(try database.text("SELECT CAST(x'61ff62' AS TEXT)") == "a\u{FFFD}b")
  }

  @Test func aTransactionIsWrittenWholeOrNotAtAll() throws {
    let found = fault {
      try database.transaction { () throws(SQLiteFault) in
        try database.execute("INSERT INTO item VALUES (1, 1)")
        try database.execute("INSERT INTO item VALUES (1, 1)")
      }
    }
    #expect(found?.code == 1555 && found?.kind == .failed && found?.message.contains("item.number") == true)
    #expect(try database.integer("SELECT count(*) FROM item") == 0)
    let result = try database.transaction { () throws(SQLiteFault) in
      try database.execute("INSERT INTO item VALUES (1, 1)")
      return 5
    }
    #expect(result == 5)
    #expect(try database.integer("SELECT count(*) FROM item") == 1)
  }

  @Test func aFullDiskLeavesWhatWasThere() throws {
    try put(1, .text("kept"))
    try database.execute("PRAGMA max_page_count = 8")
    let found = fault {
      try database.transaction { () throws(SQLiteFault) in
        try database.execute("DELETE FROM item; INSERT INTO item VALUES (2, zeroblob(100000))")
      }
    }
    #expect(found == SQLiteFault(13, "database or disk is full") && found?.kind == .failed)
    #expect(try database.text("SELECT value FROM item") == "kept")
    try database.transaction { () throws(SQLiteFault) in
      try database.execute("INSERT INTO item VALUES (3, 3)")
    }
  }

  @Test func aLockedDatabaseIsBusyAtOnce() throws {
    let second = try Database(path: place.path)
    try database.execute("BEGIN EXCLUSIVE")
    let started = ContinuousClock.now
    let found = fault { _ = try second.integer("SELECT count(*) FROM item") }
    #expect(found?.kind == .busy && found?.message == "database is locked")
    #expect(ContinuousClock.now - started < .seconds(1))
    try database.execute("COMMIT")
    #expect(try second.integer("SELECT count(*) FROM item") == 0)
  }

  @Test func aDamagedFileIsAFault() throws {
    try database.execute("BEGIN")
    for number in 1...200 { try put(Int64(number), .blob(Array(repeating: 7, count: 200))) }
    try database.execute("COMMIT")
    database.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: place.path))
    var noise = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      var altered = whole
      for _ in 0..<40 {
        altered[.random(in: 0..<altered.count, using: &noise)] = .random(in: 0...255, using: &noise)
      }
      if Bool.random(using: &noise) { altered.removeLast(.random(in: 0..<altered.count, using: &noise)) }
      try altered.write(to: URL(fileURLWithPath: place.path))
      // Every value is read or refused; nothing traps.
      _ = fault {
        let again = try Database(path: place.path)
        _ = try again.text("PRAGMA quick_check(1)")
        let rows = try again.prepare("SELECT * FROM item")
        while try rows.step() { _ = (rows.integer(0), rows.text(1), rows.blob(1)) }
      }
    }
    try Data("this is no database, and has more octets than a header".utf8 + Array(repeating: 0, count: 100))
      .write(to: URL(fileURLWithPath: place.path))
    let found = fault { _ = try Database(path: place.path).integer("PRAGMA user_version") }
    #expect(found == SQLiteFault(26, "file is not a database") && found?.kind == .damaged)
  }

  @Test func aFileMustExist() throws {
    let found = fault { _ = try Database(path: place.path + "-other") }
    #expect(found?.code == 14 && found?.message == "unable to open database file")
    #expect(!FileManager.default.fileExists(atPath: place.path + "-other"))
  }

  @Test func aClosedDatabaseIsAnErrorAndNoTrap() throws {
    let rows = try database.prepare("SELECT 1")
    database.close()
    database.close()
    #expect(fault { try database.execute("SELECT 1") }?.code == 21)
    #expect(fault { _ = try database.prepare("SELECT 1") }?.code == 21)
    #expect(fault { try database.transaction { () throws(SQLiteFault) in } }?.code == 21)
    // The connection is there as long as a statement is.
    #expect(try rows.step() && rows.integer(0) == 1)
  }

  @Test func wrongStatementsAreFaults() throws {
    for text in ["", "-- nothing", "SELEC 1", "SELECT * FROM none", "SELECT \"no column\" FROM item"] {
      #expect(fault { _ = try database.prepare(text) } != nil)
    }
    #expect(fault { try database.prepare("SELECT 1").run(.integer(1)) }?.code == 25)
  }
}
