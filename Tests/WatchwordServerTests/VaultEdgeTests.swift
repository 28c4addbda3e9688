import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// What is kept in vaults when something comes in between (storage.md 9.6, 9.9 and 8.1.10).
@Suite(.serialized) struct VaultEdgeTests {
  init() { LoopThread.started }

  private static func set(_ host: String) -> String {
    #"{"protectionSpace":{"protocol":"http","host":"\#(host)","realm":"r","authenticationMethod":"basic"},"#
      + #""credential":{"user":"joe","password":"pw","persistence":"permanent"}}"#
  }

  private static func identity(_ certificate: String, _ key: String) -> String {
    #"{"certificates":\#(TestCertificates.quoted(certificate)),"#
      + #""privateKey":\#(TestCertificates.quoted(key))}"#
  }
  private static let one = identity(TestCertificates.one, TestCertificates.oneKey)
  private static let two = identity(TestCertificates.two, TestCertificates.twoKey)

  @ReactorActor private static func counter(_ name: String, _ caller: Caller) async -> Int64 {
    guard case .integer(let value)? = await caller.ask("status")["counters"]?[name] else { return -1 }
    return value
  }

  @Test @ReactorActor func whatIsWrittenIsCounted() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      #expect(await Self.counter("vault.written", caller) == 0)
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
      #expect(await Self.counter("vault.written", caller) == 1)
      #expect(await Self.counter("vault.unwritten", caller) == 0)
      // What changes nothing is not written.
      await caller.check("trust/remove", is: #"{"removed":0}"#)
      await caller.check("identity/remove", is: #"{"removed":0}"#)
      #expect(await Self.counter("vault.written", caller) == 1)
    }
  }

  @Test @ReactorActor func whatCannotBeWrittenIsToldAndCounted() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
      let vault = "state/vault-\(caller.peer.process.uid)"
      for end in ["", "-wal", "-shm", "-journal"] {
        unlink(folder.path(of: "\(vault)/\(Vault.fileName)\(end)"))
      }
      await caller.check("credential/set", Self.set("b.example"), has: "vaultDamaged: ")
      #expect(await Self.counter("vault.unwritten", caller) == 1)
      #expect(await Self.counter("vault.written", caller) == 1)
    }
  }

  /// An import of identities alone is on the disk, too.
  @Test @ReactorActor func importedIdentitiesAreThereAfterARestart() async throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let transfer = #"{"descriptor":0,"passphrase":"of the file"}"#
    let file = try MemoryDescriptor()
    try await DaemonScene.call(in: folder) { caller, _ in
      _ = await caller.ask("identity/add", #"{"identity":\#(Self.one),"persistence":"permanent"}"#)
      let told = await caller.say("vault/export", transfer, descriptors: [file.number])
      #expect(told.contains(#""identities":1"#))
    }
    file.rewind()
    try await DaemonScene.call(in: other) { caller, _ in
      let told = await caller.say("vault/import", transfer, descriptors: [file.number])
      #expect(told.contains(#""added":1"#))
    }
    try await DaemonScene.call(in: other) { caller, scene in
      scene.open()
      let listed = await caller.ask("identity/list")["identities"]?.elements.count
      #expect(listed == 1)
      await caller.check("vault/check", has: #""identities":1"#)
    }
  }

  /// Two passphrases at once are not tried, and a wrong one puts the next off (storage.md 9.6).
  @Test @ReactorActor func oneWrongPassphraseAfterTheOtherIsTried() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("vault/init", #"{"passphrase":"p"}"#, is: "{}")
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let before = account.attempts.delay
      let first = await caller.send("agent/unlock", #"{"passphrase":"x"}"#)
      let second = await caller.send("agent/unlock", #"{"passphrase":"p"}"#)
      let refused = Caller.text(await caller.reply(to: second))
      #expect(refused.contains("another passphrase is being tried"))
      let wrong = await caller.reply(to: first)
      #expect(wrong["data"]?["kind"]?.text == "credentialUnusable")
      #expect(account.attempts.delay > before && !account.isOpen)
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      #expect(account.attempts.delay == before && account.isOpen)
      await caller.check("credential/list", has: "a.example")
    }
  }

  /// What one uid has decrypted is wiped without that of another one.
  @Test @ReactorActor func theVaultOfOneUIDIsWiped() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.run({ $0.statePlace = folder.statePlace }) { scene in
      let vaults = scene.daemon.vaults
      let space = ProtectionSpace(
        origin: SessionScene.url().origin, realm: OctetString("r"), authenticationMethod: .basic)
      let credential = Credential(
        .password(user: "joe", password: Secret("x".utf8)), persistence: .permanent)
      var kept = 0
      for uid: UInt32 in [71, 72] {
        let account = vaults.account(of: uid)
        account.prepare { _ in
          account.submit(.store(credential, for: [space], isDefault: true, over: [])) { result in
            if case .success = result { kept += 1 }
          }
        }
      }
      await DaemonScene.until { kept == 2 }
      #expect(vaults.open == [71, 72])
      await vaults.forget(71)
      #expect(vaults.account(of: 71).credentials.count == 0)
      #expect(vaults.account(of: 72).credentials.count == 1)
      await vaults.forget(nil)
      #expect(vaults.account(of: 72).credentials.count == 0)
      // One that comes after the end is closed, as the others are.
      vaults.close()
      var fault = ""
      vaults.account(of: 73).submit(.store(credential, for: [space], isDefault: true, over: [])) {
        if case .failure(let failure) = $0 { fault = failure.text }
      }
      #expect(fault.contains("the daemon is stopping"))
    }
  }

  /// The state of another daemon is waited for.
  @Test @ReactorActor func aVaultOfAnotherDaemonIsReadWhenThatHasEnded() async throws {
    let folder = try TemporaryFolder()
    var uid: UInt32 = 0
    try await DaemonScene.call(in: folder) { caller, _ in
      uid = caller.peer.process.uid
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
    }
    let place = try #require(StatePlace.resolve(folder.path(of: "state/vault-\(uid)")) { _ in nil })
    var held = try StateDirectory.open(place, isMade: false)
    #expect(held != nil)
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      #expect(scene.log.count == 1 && scene.log[0].contains("another daemon"))
      held = nil
      var found = ""
      for _ in 0..<2000 where !found.contains("a.example") {
        found = await caller.say("credential/list")
        await DaemonScene.turn(after: 0.01)
      }
      #expect(found.contains("a.example"))
    }
  }

  private static let clocks = CredentialRecord.Clocks(now: 0, wallClock: 0)

  /// Records that are not understood are counted, and no file with one is merged.
  @Test func identitiesThatAreNotUnderstoodAreCounted() {
    let record = VaultRecord(
      number: VaultRecord.Kind.identity.numbers.lowerBound + 1, kind: .identity, space: [],
      contents: Secret([1, 2]))
    let found = IdentityRecords([record, record], Self.clocks)
    #expect(found.unreadable == 2 && found.entries.isEmpty && found.keys.isEmpty)
    var isRefused = false
    do throws(VaultExport.ExportFault) {
      _ = try IdentityRecords(all: [record], Self.clocks)
    } catch {
      isRefused = error == .newerVersion
    }
    #expect(isRefused)
  }

  /// Without a place there is nothing to keep a fleet's credentials in, and a store that is closed opens nothing.
  @Test @ReactorActor func whatHasNoPlaceIsNotSynchronized() throws {
    let folder = try TemporaryFolder()
    let environment = SessionScene()
    for place in [nil, folder.statePlace] {
      let store = VaultStore(place, environment)
      #expect(store.account(of: 1).isSynchronizable == (place != nil))
      #expect(!store.account(of: 1).isTrying && !store.account(of: 1).isTransferring)
      store.close()
      #expect(store.account(of: 1).isClosed && store.account(of: 2).isClosed)
      #expect(!store.account(of: 2).isSynchronizable)
    }
  }
}
