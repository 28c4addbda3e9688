import Foundation
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

/// The keys that open a vault: one or more of key file, credential of systemd and passphrase.
@Suite struct VaultOpenersTests {
  private let place: VaultTests.Place
  private static let passphrase = Vault.GivenKeys(passphrase: Secret("open".utf8))
  private static let credential = Vault.GivenKeys(systemdCredential: Secret("of the host".utf8))
  private let record = VaultRecord(number: 1, kind: .credential, space: [1], contents: Secret("x".utf8))

  init() throws { place = try VaultTests.Place() }

  private var keyFile: String { place.path + "/" + KeyFile.name }

  private func open(_ given: Vault.GivenKeys = .init(), isMade: Bool = false) throws -> Vault {
    try #require(try Vault.open(in: place.path, of: 7, isMade: isMade, given: given))
  }

  private func fault(_ given: Vault.GivenKeys = .init()) -> VaultFault? {
    do throws(VaultFault) {
      try Vault.open(in: place.path, of: 7, isMade: false, given: given)?.close()
      return nil
    } catch {
      return error
    }
  }

  /// Opens it, compares, and closes it.
  private func check(_ openers: [Vault.Opener.Kind], with given: Vault.GivenKeys = .init()) throws {
    let vault = try open(given)
    #expect(vault.openers == openers)
    #expect(try vault.contents().records == [record])
    vault.close()
  }

  @Test func eachOfSeveralKeysOpensIt() throws {
    let vault = try open(isMade: true)
    try vault.write([record], removing: [])
    try vault.setPassphrase(Secret("open".utf8), keepsOthers: true)
    #expect(vault.openers == [.passphrase, .keyFile])
    vault.close()
    try check([.keyFile, .passphrase])
    // The next data key is for both of them, though only one was at hand.
    let again = try open()
    try again.rekey()
    again.close()
    try check([.keyFile, .passphrase])
    try FileManager.default.removeItem(atPath: keyFile)
    #expect(fault() == .locked)
    #expect(fault(.init(passphrase: Secret("other".utf8))) == .wrongPassphrase)
    try check([.passphrase, .keyFile], with: Self.passphrase)
  }

  @Test func aPassphraseTakesThePlaceOfWhatOpensItWithoutAPerson() throws {
    let vault = try open(Self.credential, isMade: true)
    try vault.write([record], removing: [])
    try vault.setPassphrase(Secret("open".utf8))
    vault.close()
    #expect(fault(Self.credential) == .locked)
    try check([.passphrase], with: Self.passphrase)
  }

  @Test func aCredentialOfSystemdTakesThePlaceOfTheKeyFile() throws {
    let vault = try open(isMade: true)
    try vault.write([record], removing: [])
    try vault.rekey(Self.credential)
    vault.close()
    #expect(!FileManager.default.fileExists(atPath: keyFile))
    try check([.systemdCredential], with: Self.credential)
    // A host opens many at its start.
    let again = try open(Self.credential)
    #expect(again.keys.withLock { $0.openers.map { $0.parameters[0] } } == [10])
    again.close()
    for given in [Vault.GivenKeys(), .init(systemdCredential: Secret("of another".utf8))] {
      guard case .unavailable = fault(given) else {
        Issue.record("it opened, or was called damaged")
        continue
      }
    }
  }

  @Test func aMissingCredentialIsNotReplacedByAKeyFile() throws {
    let missing = Vault.GivenKeys(missingCredential: "vault-key")
    #expect(throws: VaultFault.unavailable("the credential vault-key of systemd cannot be read")) {
      try open(missing, isMade: true)
    }
    #expect(!FileManager.default.fileExists(atPath: keyFile))
    let vault = try open(isMade: true)
    #expect(throws: VaultFault.unavailable("the credential vault-key of systemd cannot be read")) {
      try vault.rekey(missing)
    }
    #expect(vault.openers == [.keyFile])
  }

  @Test func anAlteredOpenerIsNotLostInSilence() throws {
    let vault = try open(isMade: true)
    try vault.setPassphrase(Secret("open".utf8), keepsOthers: true)
    try vault.withDatabase { (database) throws(SQLiteFault) in
      try database.execute("UPDATE wrapping SET key = zeroblob(61) WHERE kind = 'passphrase'")
    }
    vault.close()
    let again = try open()
    #expect(throws: VaultFault.self) { try again.rekey() }
    #expect(again.openers == [.keyFile])
  }

  /// It is left as it is, even its log when its daemon was killed, and opens again once it has this schema.
  @Test(arguments: [0, 1, 4, 6, 99], [true, false])
  func aVaultOfAnotherSchemaIsRefusedAndNotChanged(schema: Int, isKilled: Bool) throws {
    let there = try VaultTests.Place()
    let path = there.path + "/" + Vault.fileName
    func files() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: there.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: there.path + "/" + $0))) })
    }
    func copy() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
        try FileManager.default.copyItem(atPath: place.path + "/" + name, toPath: there.path + "/" + name)
      }
    }
    let vault = try open(isMade: true)
    try vault.write([record], removing: [])
    try vault.withDatabase { (database) throws(SQLiteFault) in
      try database.execute("PRAGMA user_version = \(schema)")
    }
    if isKilled { try copy() }
    vault.close()
    if !isKilled { try copy() }
    let before = try files()
    #expect((before[Vault.fileName + "-wal"]?.isEmpty == false) == isKilled)
    for isMade in [false, true] {
      let reason = "\(path): has the schema \(schema), and this version knows only 5"
      #expect(throws: VaultFault.unavailable(reason)) {
        try Vault.open(in: there.path, of: 7, isMade: isMade)
      }
      #expect(try files().filter { before[$0.key] != nil } == before)
    }
    try Database(path: path).execute("PRAGMA user_version = \(Vault.schemaVersion)")
    let again = try #require(try Vault.open(in: there.path, of: 7, isMade: false))
    #expect(try again.contents().records == [record])
    again.close()
  }
}
