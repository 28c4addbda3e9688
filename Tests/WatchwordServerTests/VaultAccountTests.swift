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

/// An account's vault when requests come in between, and what it refuses (storage.md 8.1.10 and 9.6).
@Suite(.serialized) struct VaultAccountTests {
  init() { LoopThread.started }

  private static let set =
    #"{"protectionSpace":{"protocol":"http","host":"a.example","realm":"r","authenticationMethod":"basic"},"#
    + #""credential":{"user":"joe","password":"pw","persistence":"permanent"}}"#
  private static let clocks = CredentialRecord.Clocks(now: 0, wallClock: 0)

  private static func kept(_ certificate: String, _ key: String) throws -> (KeptIdentity, ClientIdentity) {
    let privateKey = Secret(key.utf8)
    let identity = try ClientIdentity(
      anyTime: .pem(certificates: certificate, privateKey: privateKey, passphrase: nil))
    return (KeptIdentity(identity.identity, certificates: certificate, privateKey: privateKey), identity)
  }

  private static func origin(_ host: String, _ scheme: WebScheme = .https) -> Origin {
    Origin(scheme: scheme, host: host, port: scheme.defaultPort)
  }

  /// What is being written counts before what is removed after it.
  @Test @ReactorActor func whatIsBeingWrittenIsRemoved() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("credential/set", Self.set, is: "{}")
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let (kept, key) = try Self.kept(TestCertificates.one, TestCertificates.oneKey)
      // A write may be over before anybody looks: then once more.
      var isBetween = false
      for _ in 0..<100 where !isBetween {
        var (isAdded, removed) = (false, [Int?]())
        account.add(
          PermanentIdentities.Draft(kept, for: nil, record: UseRecord(created: EventLoop.shared.now)),
          with: key
        ) {
          if case .success = $0 { isAdded = true }
          return true
        }
        await DaemonScene.until { isAdded || account.isBusy && !account.queue.hasIdentities }
        isBetween = !isAdded
        #expect(account.identities.count == (isAdded ? 1 : 0))
        account.removeIdentities(nil) { removed.append(try? $0.get()) }
        await DaemonScene.until { !removed.isEmpty }
        #expect(isAdded && removed == [1] && account.identities.count == 0)
      }
      #expect(isBetween)
    }
  }

  /// The same for a decision about a chain.
  @Test @ReactorActor func aDecisionThatIsBeingWrittenIsRemoved() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("credential/set", Self.set, is: "{}")
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let trust = try TestCertificates.untrusted(1)
      var isBetween = false
      for _ in 0..<100 where !isBetween {
        var (isRecorded, removed) = (false, [Int?]())
        account.record(TrustDecision(trust, for: Self.origin("a.example")), about: trust) {
          if case .success = $0 { isRecorded = true }
        }
        await DaemonScene.until { isRecorded || account.isBusy && !account.queue.hasTrust }
        isBetween = !isRecorded
        account.removeTrust(number: nil, origin: nil) { removed.append(try? $0.get()) }
        await DaemonScene.until { !removed.isEmpty }
        #expect(isRecorded && removed == [1] && account.trust.count == 0)
      }
      #expect(isBetween)
    }
  }

  /// An identity that its caller takes back is not on the disk either, even if the vault is wiped at once.
  @Test @ReactorActor func whatIsTakenBackIsNotKept() async throws {
    let folder = try TemporaryFolder()
    var uid: UInt32 = 0
    try await DaemonScene.call(in: folder) { caller, scene in
      uid = caller.peer.process.uid
      await caller.check("credential/set", Self.set, is: "{}")
      let account = scene.daemon.vaults.account(of: uid)
      let (kept, key) = try Self.kept(TestCertificates.one, TestCertificates.oneKey)
      var answers = 0
      account.add(
        PermanentIdentities.Draft(kept, for: nil, record: UseRecord(created: EventLoop.shared.now)), with: key
      ) { _ in
        answers += 1
        return false
      }
      await account.forget()
      #expect(answers == 1 && account.identities.count == 0 && account.identityKeys.isEmpty)
    }
    try await DaemonScene.call(in: folder) { _, scene in
      scene.open()
      let account = scene.daemon.vaults.account(of: uid)
      #expect(account.isOpen && account.identities.count == 0)
      #expect(scene.log == [])
    }
  }

  /// One identity more than there is room for is refused, once.
  @Test @ReactorActor func anIdentityWithoutRoomIsRefused() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("credential/set", Self.set, is: "{}")
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let (kept, key) = try Self.kept(TestCertificates.one, TestCertificates.oneKey)
      let record = UseRecord(created: EventLoop.shared.now)
      account.holdings = VaultHoldings(
        identities: (0..<PermanentIdentities.capacity).map {
          PermanentIdentities.StoredIdentity(
            number: UInt64($0), kept, for: Self.origin("h\($0).example"), record: record)
        })
      var faults: [String] = []
      account.add(
        PermanentIdentities.Draft(kept, for: Self.origin("a.example"), record: record), with: key
      ) {
        if case .failure(let fault) = $0 { faults.append(fault.text) }
        return true
      }
      await DaemonScene.until { !faults.isEmpty && !account.isBusy }
      await caller.check("ping", is: "{}")
      #expect(faults.count == 1 && faults[0].contains("identity/remove makes room"))
    }
  }

  /// Another daemon may end: what needs the vault waits for it. A vault with a passphrase is not made later.
  @Test @ReactorActor func onlyARequestWithoutAPassphraseWaitsForAnotherDaemon() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      let name = "state/vault-\(caller.peer.process.uid)"
      let place = try #require(StatePlace.resolve(folder.path(of: name)) { _ in nil })
      mkdir(folder.path(of: "state"), 0o700)
      var held = try StateDirectory.open(place, isMade: true)
      #expect(held != nil)
      await caller.check("vault/init", #"{"passphrase":"p"}"#, has: "storageUnavailable: ", "another daemon")
      let set = await caller.send("credential/set", Self.set)
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      await DaemonScene.until { account.isBusy }
      await DaemonScene.until { !account.isBusy }
      held = nil
      #expect(Caller.text(await caller.reply(to: set)) == "{}")
    }
  }

  /// What a person has to mend is not waited for.
  @Test @ReactorActor func aDirectoryThatIsOpenToOthersIsNotWaitedFor() async throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "state"), 0o700)
    chmod(folder.path(of: "state"), 0o750)
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      let set = await caller.send("credential/set", Self.set)
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      await DaemonScene.until { account.fault != nil }
      chmod(folder.path(of: "state"), 0o700)
      let told = Caller.text(await caller.reply(to: set))
      #expect(told.contains("is open to others"))
      let vault = await caller.ask("status")["vault"]
      #expect(vault?["state"]?.text == "unavailable")
      #expect(vault?["reason"]?.text.contains("is open to others") == true)
    }
  }

  /// A vault that is gone while it is locked is not made anew by its passphrase.
  @Test @ReactorActor func aPassphraseMakesNoVault() async throws {
    let folder = try TemporaryFolder()
    var name = ""
    try await DaemonScene.call(in: folder) { caller, _ in
      name = "state/vault-\(caller.peer.process.uid)/\(Vault.fileName)"
      await caller.check("vault/init", #"{"passphrase":"p"}"#, is: "{}")
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      let vault = await caller.ask("status")["vault"]
      #expect(vault?["state"]?.text == "locked" && vault?["reason"] == .null)
      for end in ["", "-wal", "-shm", "-journal"] { unlink(folder.path(of: name + end)) }
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, has: "there is no vault")
      #expect(folder.read(name) == nil)
    }
    // Nor is one made at a daemon's start.
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      #expect(folder.read(name) == nil && scene.log == [])
    }
  }

  /// Sealing takes memory: one at a time for an account.
  @Test @ReactorActor func oneExportIsMadeAtATime() async throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try MemoryDescriptor(), try MemoryDescriptor())
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("credential/set", Self.set, is: "{}")
      let transfer = #"{"descriptor":0,"passphrase":"of the file"}"#
      let one = caller.send("vault/export", transfer, descriptors: [first.number])
      let other = caller.send("vault/export", transfer, descriptors: [second.number])
      let told = Caller.text(await caller.reply(to: other))
      #expect(told == "storageUnavailable: another export or import of this uid is running")
      #expect(Caller.text(await caller.reply(to: one)).contains(#""credentials":1"#))
    }
  }

  /// administrator.md 15.4: a locked vault takes no part.
  @Test @ReactorActor func aLockedVaultIsNotSynchronized() async throws {
    let folder = try TemporaryFolder()
    let store = FakeStore()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("vault/init", #"{"passphrase":"p"}"#, is: "{}")
    }
    try await FleetScene.host(folder, store) { caller, scene in
      await caller.check("status", has: #""synchronization":{"state":"idle""#)
      #expect(store.requests.isEmpty)
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      await DaemonScene.until { FleetScene.isWatching(scene) }
    }
  }

  /// An identity of a file is for an origin in the form in which challenges name it, or for any.
  @Test(
    arguments: [
      (nil, true), (Self.origin("a.example"), true), (Self.origin("a.example", .http), false),
      (Self.origin("A.example"), false), (Self.origin("a b"), false),
    ] as [(Origin?, Bool)])
  func anIdentityOfAFileIsForASoundOrigin(_ origin: Origin?, _ isTaken: Bool) throws {
    let (kept, _) = try Self.kept(TestCertificates.one, TestCertificates.oneKey)
    let entry = PermanentIdentities.StoredIdentity(
      number: 1, kept, for: origin, record: UseRecord(created: 0))
    let record = IdentityRecord.record(of: entry, Self.clocks)
    var taken: Int?
    do throws(VaultExport.ExportFault) {
      taken = try IdentityRecords(all: [record], Self.clocks).entries.count
    } catch {
      #expect(error == .unusable)
    }
    #expect(taken == (isTaken ? 1 : nil))
  }

  /// What has expired is not merged.
  @Test func anIdentityOfAFileIsMergedUntilItsEnd() throws {
    let (kept, _) = try Self.kept(TestCertificates.one, TestCertificates.oneKey)
    let end = kept.identity.certificate.notAfter
    var limits = CredentialLimits()
    limits.notAfter = end - 10
    for (limits, most) in [(CredentialLimits(), end), (limits, end - 10)] {
      let entry = PermanentIdentities.StoredIdentity(
        number: 1, kept, for: nil, record: UseRecord(limits: limits, created: 0))
      let records = try IdentityRecords(all: [IdentityRecord.record(of: entry, Self.clocks)], Self.clocks)
      #expect(records.usable(now: 0, wallClock: end - 20).count == 1)
      #expect(records.usable(now: 0, wallClock: end).count == (most == end ? 1 : 0))
      #expect(records.usable(now: 0, wallClock: end + 1).isEmpty)
    }
  }
}
