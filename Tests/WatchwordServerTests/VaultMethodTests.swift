import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// What is kept on the disk: `vault/*` and permanent credentials (storage.md 9.6 and 9.9).
struct VaultMethodTests {
  init() { LoopThread.started }

  private static func set(_ host: String, user: String = "joe", persistence: String = "permanent") -> String {
    #"{"protectionSpace":{"protocol":"http","host":"\#(host)","realm":"r","authenticationMethod":"basic"},"#
      + #""credential":{"user":"\#(user)","password":"pw","persistence":"\#(persistence)"}}"#
  }

  private static func space(_ host: String) -> String {
    #"{"protectionSpace":{"protocol":"http","host":"\#(host)","realm":"r","authenticationMethod":"basic"}"#
  }

  @Test @ReactorActor func aPermanentCredentialIsInTheVault() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      let uid = caller.peer.process.uid
      await caller.check(
        "vault/check", is: "storageUnavailable: nothing permanent can be kept: there is no vault yet")
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
      #expect(folder.names == ["state"] && folder.mode(of: "state/vault-\(uid)") == 0o700)
      await caller.check("credential/set", Self.set("a.example", user: "ann"), is: "{}")
      await caller.check("credential/set", Self.set("b.example"), is: "{}")
      await caller.check(
        "vault/check",
        is: #"{"records":3,"credentials":3,"trust":0,"identities":0,"unreadable":0,"complaint":null}"#)
      await caller.check("credential/list", has: #""persistence":"permanent""#, "b.example")
      await caller.check("credential/setDefault", Self.space("a.example") + #","user":"ann"}"#, is: "{}")
      await caller.check("credential/remove", Self.space("a.example") + "}", is: #"{"removed":2}"#)
      await caller.check(
        "vault/init", #"{"passphrase":"x"}"#, is: "storageUnavailable: there is a vault already")
      #expect(scene.daemon.vaults.open == [uid] && scene.daemon.vaults.knownAccounts == [uid])
      await caller.check("agent/forget", is: "{}")
      await caller.check("credential/list", has: "b.example")
      await caller.check("vault/rekey", #"{"opener":"keyFile"}"#, is: "{}")
    }
    // The next daemon reads it.
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      await caller.check("credential/list", has: "b.example")
      let listed = await caller.ask("credential/list")["credentials"]?.elements.count
      #expect(listed == 1)
    }
  }

  @Test @ReactorActor func aPassphraseOpensTheVault() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("vault/init", #"{"passphrase":"first"}"#, is: "{}")
      await caller.check(
        "vault/init", #"{"passphrase":"first"}"#, is: "storageUnavailable: there is a vault already")
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      #expect(scene.log.map { $0.prefix(12) } == ["vault locked"])
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      await caller.check(
        "credential/set", Self.set("b.example"),
        is: "agentLocked: the vault is locked: its passphrase opens it")
      await caller.check("vault/check", is: "agentLocked: the vault is locked: its passphrase opens it")
      await caller.check("agent/unlock", #"{"passphrase":"first"}"#, is: #"{"locked":false}"#)
      await caller.check("credential/list", has: "a.example")
    }
  }

  /// A vault with a key file is read again when its agent is unlocked (storage.md 9.11).
  @Test @ReactorActor func anUnlockedAgentReadsItsVault() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("credential/set", Self.set("a.example"), is: "{}")
      await caller.check("agent/lock", #"{"passphrase":"mine"}"#, is: #"{"locked":true}"#)
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      await caller.check("agent/unlock", #"{"passphrase":"mine"}"#, is: #"{"locked":false}"#)
      await caller.check("credential/list", has: "a.example")
    }
  }

  @Test @ReactorActor func anExportIsImportedElsewhere() async throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    let file = clinux_memfd_create("test")
    defer { close(file) }
    let transfer = #"{"descriptor":0,"passphrase":"of the file"}"#
    try await DaemonScene.call(in: folder) { caller, _ in
      for host in ["a.example", "b.example"] { _ = await caller.ask("credential/set", Self.set(host)) }
      await caller.check(
        "vault/export", transfer, descriptors: [file], is: #"{"credentials":2,"trust":0,"identities":0}"#)
    }
    lseek(file, 0, SEEK_SET)
    try await DaemonScene.call(in: other) { caller, _ in
      _ = await caller.ask("credential/set", Self.set("a.example"))
      await caller.check(
        "vault/import", transfer, descriptors: [file], is: #"{"added":1,"replaced":0,"skipped":1}"#)
      let empty = open("/dev/null", O_RDONLY)
      await caller.check(
        "vault/import", transfer, descriptors: [empty],
        is: "descriptorUnusable: params.descriptor: must be a regular file, a pipe or a socket")
      close(empty)
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      #expect(write(ends[1], "no export", 9) == 9)
      close(ends[1])
      await caller.check(
        "vault/import", transfer, descriptors: [ends[0]],
        is: "descriptorUnusable: params.descriptor: is no export of a vault")
      close(ends[0])
      let listed = await caller.ask("credential/list")["credentials"]?.elements.count
      #expect(listed == 2)
    }
  }

  /// storage.md 9.9.
  @Test @ReactorActor func aVaultInADirectoryThatIsOpenToOthersIsNotUsed() async throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "state"), 0o700)
    chmod(folder.path(of: "state"), 0o750)
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check(
        "credential/set", Self.set("a.example"), has: "storageUnavailable: ", "is open to others")
    }
  }

  @Test @ReactorActor func rootsOfAUserAreKeptInAFile() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("trust/listRoots", is: #"{"roots":[]}"#)
      await caller.check(
        "trust/addRoots", #"{"certificates":"x"}"#,
        is: "invalidParams: params.certificates: has no PEM certificate")
      await caller.check("trust/removeRoots", is: #"{"removed":0}"#)
      _ = await caller.ask("credential/set", Self.set("a.example"))
      let name = "state/roots-\(caller.peer.process.uid).pem"
      try folder.write("no certificate", to: name)
      await caller.check(
        "trust/listRoots", has: "storageUnavailable: the certificate authorities: ", "mend or remove the file"
      )
      try folder.write("", to: name, mode: 0o622)
      await caller.check("trust/listRoots", has: "can be written by others")
      await caller.check("status", has: "can be written by others")
    }
    try await DaemonScene.call { caller, _ in
      await caller.check("trust/listRoots", is: #"{"roots":[]}"#)
      await caller.check(
        "trust/removeRoots", has: "storageUnavailable: the certificate authorities: no --state")
    }
  }

  @Test(
    arguments: [
      (
        [
          "roots-1.pem", "roots-20.pem", "roots-.pem", "roots-01.pem", "roots-x.pem", "roots-3.pe",
          "root-4.pem",
        ], [1, 20]
      ),
      ([], []),
    ] as [([String], [UInt32])])
  func filesOfRootsAreOfUIDs(_ names: [String], _ expected: [UInt32]) throws {
    let folder = try TemporaryFolder()
    for name in names { try folder.write("", to: name) }
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    // Another daemon may be changing one of them.
    let held = try StateDirectory.open(place, isMade: false)
    #expect(try held != nil && UserRootsFile.accounts(in: place) == expected)
    let missing = try #require(StatePlace.resolve(folder.path(of: "none")) { _ in nil })
    #expect(try UserRootsFile.accounts(in: missing) == [] && !folder.names.contains("none"))
  }

  @Test func foldersOfVaultsAreOfUIDs() throws {
    let folder = try TemporaryFolder()
    for name in ["vault-7", "vault-07", "vault-", "vault-x", "vaul-8", "vault-30"] {
      try folder.write("", to: name)
    }
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    #expect(VaultFile.accounts(in: place, prefix: "vault-") == [7, 30])
    let missing = try #require(StatePlace.resolve(folder.path(of: "none")) { _ in nil })
    #expect(VaultFile.accounts(in: missing, prefix: "vault-") == [])
  }

  /// storage.md 9.9: sessions with storage of their own do not have what is permanent, nor hear of it.
  @Test @ReactorActor func aPermanentChangeIsToldInEverySharedSession() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      for (name, storage) in [("a", "shared"), ("b", "private"), ("c", "shared")] {
        let told = await caller.say(
          "session/open",
          #"{"name":"\#(name)","configuration":{"credentialStorage":"\#(storage)"},"#
            + #""delegate":{"session":["*"]}}"#)
        #expect(told.contains(#""session":"\#(name)""#))
      }
      let set = Self.set("a.example").dropFirst()
      await caller.check("credential/set", #"{"session":"a",\#(set)"#, is: "{}")
      var told: [String] = []
      for _ in 0..<2 {
        told.append(await caller.notification("credential/didChange")?["session"]?.text ?? "none")
      }
      #expect(told.sorted() == ["a", "c"])
      #expect(await caller.methods() == [])
    }
  }
}
