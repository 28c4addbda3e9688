import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// `trust/*`: what was decided about servers' certificates (storage.md 6.4 and 6.6).
struct TrustMethodTests {
  init() { LoopThread.started }

  /// Has a question about the certificates of a host answered, in session `a`; the reply must be accepted.
  @ReactorActor private static func accept(
    _ host: String, _ persistence: String, _ caller: Caller, _ scene: DaemonScene, _ number: UInt8 = 1,
    as credential: String? = nil, is expected: String = #"{"accepted":true}"#,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = scene.exchange
    _ = await caller.send("fetch", #"{"url":"https://\#(host)/x","session":"a"}"#)
    await DaemonScene.until { scene.exchange !== before }
    scene.exchange?.finish(.serverTrustUndecided(try TestCertificates.untrusted(number)))
    let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
    let trust = credential ?? #"{"trust":"certificate","persistence":"\#(persistence)"}"#
    let reply = #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":\#(trust)}"#
    await caller.check("challenge/reply", reply, is: expected, sourceLocation: sourceLocation)
  }

  @ReactorActor private static func listed(_ caller: Caller, _ session: String = "a") async -> [String] {
    let found = await caller.ask("trust/list", #"{"session":"\#(session)"}"#)["trust"]?.elements ?? []
    return found.map { "\($0["trust"]?.text ?? "") \($0["origin"]?.text ?? $0["host"]?.text ?? "")" }
  }

  private static let open = #"{"name":"a","delegate":{"tasks":["*"]}}"#

  @Test @ReactorActor func decisionsAreListedAndRemoved() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      for host in ["a.example", "b.example", "c.example"] {
        try await Self.accept(host, "forSession", caller, scene)
      }
      let listed = await Self.listed(caller)
      #expect(listed.map { String($0.split(separator: " ")[0]) } == ["1", "2", "3"])
      await caller.check("trust/remove", #"{"session":"a","trust":"9"}"#, is: #"{"removed":0}"#)
      await caller.check("trust/remove", #"{"session":"a","trust":"x"}"#, is: #"{"removed":0}"#)
      await caller.check("trust/remove", #"{"session":"a","trust":"2"}"#, is: #"{"removed":1}"#)
      await caller.check(
        "trust/remove", #"{"session":"a","origin":"https://c.example/path"}"#, is: #"{"removed":1}"#)
      await caller.check(
        "trust/remove", #"{"session":"a","origin":"c.example"}"#,
        is: "invalidParams: params.origin: is not an absolute URL")
      #expect(await Self.listed(caller) == [listed[0]])
      await caller.check("explain", #"{"url":"https://a.example/","session":"a"}"#, has: #""trust":"1""#)
      await caller.check("trust/remove", #"{"session":"a"}"#, is: #"{"removed":1}"#)
      #expect(await Self.listed(caller) == [])
    }
  }

  /// storage.md 6.4.1 to 6.4.5.
  @Test @ReactorActor func aPermanentDecisionIsOfEverySession() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      try await Self.accept("a.example", "permanent", caller, scene)
      try await Self.accept("b.example", "permanent", caller, scene)
      try await Self.accept("c.example", "forSession", caller, scene)
      let identifiers = await Self.listed(caller).map { String($0.split(separator: " ")[0]) }
      #expect(identifiers == ["1", "p1", "p2"])
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"b"}"#)
      _ = await other.ask("session/open", #"{"name":"c","configuration":{"credentialStorage":"private"}}"#)
      #expect(await Self.listed(other, "b").count == 2)
      #expect(await Self.listed(other, "c") == [])
      let explained = await caller.ask("explain", #"{"url":"https://b.example/","session":"b"}"#)
      #expect(explained["trust"]?["decisions"]?.elements.map { $0["trust"]?.text } == ["p2"])
      await caller.check("vault/check", has: #""credentials":0,"trust":2,"identities":0,"unreadable":0"#)
      await caller.check("trust/remove", #"{"session":"a","trust":"p7"}"#, is: #"{"removed":0}"#)
      await caller.check("trust/remove", #"{"session":"a","trust":"1"}"#, is: #"{"removed":1}"#)
      #expect(scene.engines[0].closings == ["all"])
      await caller.check("trust/remove", #"{"session":"b","trust":"p1"}"#, is: #"{"removed":1}"#)
      _ = await Self.listed(caller)
      // No later exchange uses a connection that rests on it.
      #expect(scene.engines[0].closings == ["all", "all"])
      await caller.check("status", has: #""trust":1"#)
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", Self.open)
      #expect(await Self.listed(caller).count == 1)
      try await Self.accept("d.example", "permanent", caller, scene)
      #expect(await Self.listed(caller).map { $0.prefix(2) } == ["p2", "p3"])
      await caller.check(
        "trust/remove", #"{"session":"a","origin":"https://d.example/"}"#, is: #"{"removed":1}"#)
      await caller.check("trust/remove", #"{"session":"a"}"#, is: #"{"removed":1}"#)
      await caller.check("trust/remove", #"{"session":"a"}"#, is: #"{"removed":0}"#)
    }
  }

  /// storage.md 6.4.4.
  @Test @ReactorActor func aLockedVaultRemovesNoDecision() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("vault/init", #"{"passphrase":"p"}"#, is: "{}")
      _ = await caller.ask("session/open", Self.open)
      try await Self.accept("a.example", "permanent", caller, scene)
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", Self.open)
      #expect(await Self.listed(caller) == [])
      try await Self.accept(
        "b.example", "permanent", caller, scene,
        is: "agentLocked: the vault is locked: its passphrase opens it")
      await caller.check("trust/remove", #"{"session":"a","trust":"1"}"#, is: #"{"removed":0}"#)
      await caller.check("trust/remove", #"{"session":"a"}"#, has: "agentLocked: ")
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      await caller.check("trust/remove", #"{"session":"a"}"#, is: #"{"removed":1}"#)
    }
  }

  /// storage.md 6.4.2 and 9.1.
  @Test @ReactorActor func aDecisionThatCannotBeKeptIsNotAccepted() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open)
      try await Self.accept(
        "a.example", "permanent", caller, scene,
        is: "storageUnavailable: nothing permanent can be kept: no --state-directory, STATE_DIRECTORY, "
          + "XDG_STATE_HOME or HOME says where")
      try await Self.accept(
        "b.example", "none", caller, scene, as: #"{"token":"x"}"#,
        is: "credentialUnusable: the credential cannot answer this challenge: its kind does not fit the "
          + "authentication method")
      #expect(await Self.listed(caller) == [])
    }
  }

  /// storage.md 6.6.
  @Test @ReactorActor func rootsAreAddedAndRemoved() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let add = #"{"certificates":\#(TestCertificates.quoted(TestCertificates.authority))}"#
      let added = await caller.ask("trust/addRoots", add)
      let sha256 = added["roots"]?.elements.first?["sha256"]?.text ?? ""
      #expect(added["added"] == .integer(1) && sha256.count == 64)
      let name = "state/roots-\(caller.peer.process.uid).pem"
      #expect(folder.read(name)?.contains("BEGIN CERTIFICATE") == true && folder.mode(of: name) == 0o600)
      await caller.check("trust/addRoots", add, has: #""added":0"#)
      await caller.check("trust/listRoots", has: sha256, "Root")
      await caller.check("status", has: #""count":1"#)
      await DaemonScene.until { scene.engines[0].closings.contains("roots") }
      await caller.check(
        "trust/addRoots", #"{"certificates":\#(TestCertificates.quoted(TestCertificates.one))}"#,
        has: "invalidParams: params.certificates: certificate 1", "is no certificate authority's")
      await caller.check("trust/removeRoots", #"{"root":"00"}"#, is: #"{"removed":0}"#)
      await caller.check("trust/removeRoots", #"{"root":"\#(sha256)"}"#, is: #"{"removed":1}"#)
      #expect(folder.read(name) == nil)
      await caller.check("trust/listRoots", is: #"{"roots":[]}"#)
      _ = await caller.ask("trust/addRoots", add)
      await caller.check("trust/removeRoots", is: #"{"removed":1}"#)
    }
  }
}
