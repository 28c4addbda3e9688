import Foundation
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct VaultTests {
  /// A private directory, removed with its owner.
  final class Place {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "watchword-vault-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func open(isMade: Bool = true, uid: UInt32 = 7) throws -> Vault? {
      try Vault.open(in: path, of: uid, isMade: isMade)
    }
  }

  private func record(_ number: UInt64, _ text: String = "contents") -> VaultRecord {
    VaultRecord(number: number, kind: .credential, space: [1, 2, 3], contents: Secret(text.utf8))
  }

  @Test func nothingIsMadeUnlessItIsWanted() throws {
    let place = try Place()
    #expect(try place.open(isMade: false) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
  }

  @Test func recordsComeBackWhenItIsOpenedAgain() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.write([record(1), record(2, "other")], removing: [])
    try vault.write([record(1, "new")], removing: [2])
    vault.close()
    let again = try #require(try place.open(isMade: false))
    #expect(try again.contents().records == [record(1, "new")])
  }

  @Test func aTransactionIsWrittenWholeOrNotAtAll() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.write([record(1)], removing: [])
    // The second one has a number that SQLite does not have.
    #expect(throws: VaultFault.self) {
      try vault.write([record(2), record(UInt64.max)], removing: [1])
    }
    #expect(try vault.contents().records == [record(1)])
  }

  @Test func aSecondOpeningIsRefused() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    #expect(throws: VaultFault.self) { try place.open() }
    vault.close()
    _ = try #require(try place.open())
  }

  @Test func aRecordOpensOnlyWhereItWasSealed() throws {
    let seal = try #require(Seal.randomKey().flatMap { Seal($0) })
    let associated = { (uid: UInt32, number: Int64, kind: String, space: [UInt8]) in
      VaultRecord.associated(uid: uid, number: number, kind: kind, space: space)
    }
    let sealed = try #require(seal.seal(Secret("x".utf8), for: associated(7, 1, "credential", [1])))
    #expect(seal.open(sealed, for: associated(7, 1, "credential", [1])) != nil)
    for other in [
      associated(8, 1, "credential", [1]), associated(7, 2, "credential", [1]),
      associated(7, 1, "trust", [1]), associated(7, 1, "credential", [2]),
    ] {
      #expect(seal.open(sealed, for: other) == nil)
    }
  }

  @Test func anOldKeyFileDoesNotOpenWhatHasAPassphrase() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.write([record(1)], removing: [])
    let key = try #require(FileManager.default.contents(atPath: place.path + "/" + KeyFile.name))
    try vault.setPassphrase(Secret("open".utf8))
    #expect(vault.openers == [.passphrase])
    try vault.write([record(2)], removing: [])
    vault.close()
    #expect(throws: VaultFault.locked) { try place.open() }
    #expect(
      FileManager.default.createFile(
        atPath: place.path + "/" + KeyFile.name, contents: key, attributes: [.posixPermissions: 0o600]))
    #expect(throws: VaultFault.locked) { try place.open() }
    #expect(throws: VaultFault.wrongPassphrase) {
      try Vault.open(in: place.path, of: 7, isMade: false, given: .init(passphrase: Secret("closed".utf8)))
    }
    let opened = try Vault.open(
      in: place.path, of: 7, isMade: false, given: .init(passphrase: Secret("open".utf8)))
    #expect(try opened?.contents().records == [record(1), record(2)])
  }

  @Test func aNewDataKeyOpensTheSameRecords() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.write([record(1), record(2, "other")], removing: [])
    let before = vault.keys.withLock { $0.seal.key }
    try vault.rekey()
    #expect(vault.keys.withLock { $0.seal.key } != before)
    #expect(try vault.contents().records == [record(1), record(2, "other")])
    try vault.write([record(3)], removing: [])
    vault.close()
    let again = try #require(try place.open())
    #expect(try again.contents().records.map(\.number) == [1, 2, 3])
    let findings = try again.check()
    #expect(
      (findings.contents.records.count, findings.contents.unreadable) == (3, 0) && findings.complaint == nil)
  }

  @Test func aVaultOfAnotherAccountDoesNotOpen() throws {
    let place = try Place()
    try #require(try place.open()).close()
    #expect {
      try place.open(uid: 8)
    } throws: {
      if case VaultFault.damaged = $0 { true } else { false }
    }
  }

  @Test func recordsWithValuesOfAnotherTypeDoNotOpen() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.write([record(1), record(2)], removing: [])
    try vault.withDatabase { (database) throws(SQLiteFault) in
      try database.execute(
        """
        CREATE TABLE altered (number INTEGER PRIMARY KEY, kind, space, sealed);
        INSERT INTO altered SELECT * FROM record;
        INSERT INTO altered VALUES
          (3, 7, x'01', 'text'), (4, NULL, NULL, NULL), (5, 'credential', 'text', x'00'), (-6, x'00', 7.5, 8);
        DROP TABLE record;
        ALTER TABLE altered RENAME TO record;
        """)
    }
    vault.close()
    let again = try #require(try place.open())
    try again.rekey()
    let contents = try again.contents()
    #expect(contents.records == [record(1), record(2)] && contents.unreadable == 4)
  }

  @Test func keysWithValuesOfAnotherTypeDoNotOpenIt() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    try vault.withDatabase { (database) throws(SQLiteFault) in
      try database.execute(
        """
        DROP TABLE wrapping;
        CREATE TABLE wrapping (kind, parameters, wrapped, key);
        INSERT INTO wrapping VALUES (7, 7, 7, 7), (NULL, NULL, NULL, NULL), ('keyFile', 7, 'text', 7.5);
        """)
    }
    vault.close()
    #expect(throws: VaultFault.damaged("\(place.path)/vault.key: does not fit the vault beside it")) {
      try place.open()
    }
  }

  @Test func whatIsNoVaultIsLeftAsItIs() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    vault.close()
    let file = place.path + "/" + Vault.fileName
    let octets = Data("this is no database, and has more octets than a header".utf8) + Data(count: 100)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: octets)
    #expect(throws: VaultFault.damaged("\(file): file is not a database")) { try place.open() }
    #expect(FileManager.default.contents(atPath: file) == octets)
  }

  @Test func aClosedVaultIsAFault() throws {
    let place = try Place()
    let vault = try #require(try place.open())
    vault.close()
    #expect(throws: VaultFault.unavailable("\(vault.path): the database is closed")) { try vault.contents() }
    #expect(throws: VaultFault.self) { try vault.write([record(1)], removing: []) }
  }
}
