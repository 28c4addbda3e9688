import Foundation
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

/// A vault whose key is an item of the Secret Service.
@Suite struct SecretServiceTests {
  /// Keeps items in memory, and fails as it is told.
  private final class Keyring: SecretService {
    private struct State {
      var items: [String: Secret] = [:]
      var fault: VaultFault?
    }

    private let state = Locked(State())

    var items: [String: Secret] { state.withLock { $0.items } }

    func fail(_ fault: VaultFault?) { state.withLock { $0.fault = fault } }
    func replace(_ item: String, with key: Secret?) { state.withLock { $0.items[item] = key } }

    func key(_ identifier: String) throws(VaultFault) -> Secret? {
      if let fault = state.withLock({ $0.fault }) { throw fault }
      return items[identifier]
    }

    func keep(_ key: Secret, as identifier: String, for path: String) throws(VaultFault) {
      if let fault = state.withLock({ $0.fault }) { throw fault }
      replace(identifier, with: key)
    }

    func remove(_ identifier: String) { replace(identifier, with: nil) }
  }

  private let place: VaultTests.Place
  private let keyring = Keyring()
  private let record = VaultRecord(number: 1, kind: .credential, space: [1], contents: Secret("x".utf8))
  private static let locked = VaultFault.keyring("locked", isLocked: true)

  init() throws { place = try VaultTests.Place() }

  private var given: Vault.GivenKeys { .init(secretService: .now(keyring)) }
  private var hasKeyFile: Bool {
    FileManager.default.fileExists(atPath: place.path + "/" + KeyFile.name)
  }

  private func open(_ given: Vault.GivenKeys, isMade: Bool = false) throws -> Vault {
    try #require(try Vault.open(in: place.path, of: 7, isMade: isMade, given: given))
  }

  private func make() throws {
    let vault = try open(given, isMade: true)
    try vault.write([record], removing: [])
    vault.close()
  }

  private func fault(_ given: Vault.GivenKeys) -> VaultFault? {
    do throws(VaultFault) {
      try Vault.open(in: place.path, of: 7, isMade: false, given: given)?.close()
      return nil
    } catch {
      return error
    }
  }

  @Test func aNewVaultHasAnItemAndNoKeyFile() throws {
    try make()
    #expect(keyring.items.count == 1 && !hasKeyFile)
    let vault = try open(given)
    #expect(vault.openers == [.secretService] && vault.refusal == nil)
    #expect(try vault.contents().records == [record])
    try vault.rekey(given)
    vault.close()
    #expect(keyring.items.count == 1)
    #expect(fault(given) == nil)
  }

  @Test func aServiceThatRefusesLeavesAKeyFile() throws {
    keyring.fail(Self.locked)
    let vault = try open(given, isMade: true)
    #expect(vault.openers == [.keyFile] && vault.refusal == Self.locked && hasKeyFile)
    keyring.fail(nil)
    // It stays until it is asked for.
    try vault.rekey(given)
    #expect(vault.openers == [.keyFile] && keyring.items.isEmpty)
    try vault.rekey(given, to: .secretService)
    #expect(vault.openers == [.secretService] && !hasKeyFile)
    let first = keyring.items
    try vault.rekey(given, to: .secretService)
    #expect(keyring.items.count == 1 && keyring.items != first)
    try vault.rekey(given, to: .keyFile)
    #expect(vault.openers == [.keyFile] && keyring.items.isEmpty && hasKeyFile)
    vault.close()
  }

  @Test func withoutTheKeyTheVaultStaysAsItIs() throws {
    try make()
    let item = try #require(keyring.items.keys.first)
    let key = try #require(keyring.items[item])
    keyring.fail(Self.locked)
    #expect(fault(given) == Self.locked)
    keyring.fail(nil)
    #expect(fault(.init(secretService: .later)) == .postponed)
    guard case .keyring(let text, isLocked: false) = fault(.init(secretService: .none("no bus"))) else {
      Issue.record("it opened, or is damaged")
      return
    }
    #expect(text.hasSuffix("no bus"))
    keyring.replace(item, with: nil)
    guard case .keyring(let text, isLocked: false) = fault(given) else {
      Issue.record("it opened, or is damaged")
      return
    }
    #expect(text.contains(item) && !hasKeyFile)
    keyring.replace(item, with: Seal.randomKey())
    guard case .damaged = fault(given) else {
      Issue.record("another key opened it")
      return
    }
    keyring.replace(item, with: key)
    let vault = try open(given)
    #expect(try vault.contents().records == [record])
    vault.close()
  }

  @Test func aPassphraseRemovesTheItemUnlessItIsKept() throws {
    try make()
    let vault = try open(given)
    try vault.setPassphrase(Secret("open".utf8), keepsOthers: true, given)
    #expect(vault.openers == [.passphrase, .secretService] && keyring.items.count == 1)
    vault.close()
    // What a person can do is said first.
    keyring.fail(Self.locked)
    #expect(fault(given) == .locked)
    keyring.fail(nil)
    let again = try open(given)
    #expect(again.openers == [.secretService, .passphrase])
    try again.setPassphrase(Secret("open".utf8), given)
    #expect(again.openers == [.passphrase] && keyring.items.isEmpty)
    again.close()
  }

  @Test func anIdentifierThatWasAlteredIsNoArgument() throws {
    try make()
    let vault = try open(given)
    try vault.withDatabase { (database) throws(SQLiteFault) in
      try database.execute("UPDATE wrapping SET parameters = CAST('--help' AS BLOB)")
    }
    vault.close()
    guard case .damaged = fault(given) else {
      Issue.record("it was used")
      return
    }
  }
}
