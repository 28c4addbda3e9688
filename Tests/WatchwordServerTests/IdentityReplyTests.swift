import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Replies with client identities that are kept for good (storage.md 8.1.10, challenges.md 11.14).
@Suite(.serialized) struct IdentityReplyTests {
  init() { LoopThread.started }

  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  private static let elsewhere = Origin(scheme: .https, host: "b.example", port: 443)

  private static func material(_ certificate: String, _ key: String) -> String {
    #"{"certificates":\#(TestCertificates.quoted(certificate)),"#
      + #""privateKey":\#(TestCertificates.quoted(key))}"#
  }
  private static let one = material(TestCertificates.one, TestCertificates.oneKey)

  /// Has a challenge for a client certificate, and says its id.
  @ReactorActor private static func challenge(_ caller: Caller, _ scene: DaemonScene) async -> String {
    let before = scene.exchange
    _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
    _ = await caller.ask("task/start", #"{"url":"https://a.example/x","session":"a","task":"t"}"#)
    await DaemonScene.until { scene.exchange !== before }
    scene.exchange?.finish(.clientCertificateUndecided(TestCertificates.request))
    return await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
  }

  private static func reply(_ challenge: String, _ persistence: String = "permanent") -> String {
    #"{"challenge":"\#(challenge)","disposition":"useCredential","#
      + #""credential":{"identity":\#(one),"persistence":"\#(persistence)"}}"#
  }

  /// Waits until the vault has no record, or there is none.
  @ReactorActor private static func isEmptyOnDisk(_ caller: Caller) async -> Bool {
    for _ in 0..<1000 {
      let found = await caller.say("vault/check")
      if found.contains(#""records":0"#) || found.contains("there is no vault yet") { return true }
    }
    return false
  }

  /// What is permanent for another origin serves none here.
  @Test @ReactorActor func aPermanentIdentityIsNamedWhereItServes() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      let challenge = await Self.challenge(caller, scene)
      await caller.check("challenge/reply", Self.reply(challenge), is: #"{"accepted":true}"#)
      let session = try #require(scene.daemon.registry.all.first)
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let identifier = try #require(account.identities.all.first?.identifier)
      #expect(session.identity(named: identifier, for: Self.origin)?.isPermanent == true)
      #expect(session.identity(named: identifier, for: Self.elsewhere)?.isPermanent == false)
      #expect(session.identity(named: "i-0", for: Self.origin) == nil)
      // One without an origin serves every one.
      await caller.check("identity/remove", has: "removed")
      await caller.check(
        "identity/add", #"{"session":"a","identity":\#(Self.one),"persistence":"permanent"}"#,
        has: identifier)
      #expect(session.identity(named: identifier, for: Self.elsewhere)?.isPermanent == true)
      await caller.check("identity/remove", has: "removed")
      await caller.check("identity/add", #"{"session":"a","identity":\#(Self.one)}"#, has: identifier)
      #expect(session.identity(named: identifier, for: Self.origin)?.isPermanent == false)
    }
  }

  /// The task ends, or the reply is taken back, while the identity is being written: then it is not kept.
  @Test(arguments: [true, false])
  @ReactorActor func aReplyThatComesTooLateKeepsNothing(isCancelled: Bool) async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      let challenge = await Self.challenge(caller, scene)
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let reply = await caller.send("challenge/reply", Self.reply(challenge))
      if isCancelled {
        // Its identity was read, and is on its way to the disk.
        await DaemonScene.until { !account.identityKeys.isEmpty || account.isBusy }
        await caller.cancel(reply)
      } else {
        _ = await caller.send("task/cancel", #"{"task":"t"}"#)
      }
      let found = await caller.reply(to: reply)
      if found["accepted"] == nil {
        #expect(found["message"] != nil)
        await caller.check("identity/list", #"{"session":"a"}"#, is: #"{"identities":[]}"#)
        #expect(account.identities.all.isEmpty && account.identityKeys.isEmpty)
        // Nor is it on the disk.
        #expect(await Self.isEmptyOnDisk(caller))
      } else {
        // It was written before.
        #expect(isCancelled && account.identities.all.count == 1)
      }
    }
  }

  /// What has expired is gone from the disk, and sessions hear of it.
  @Test @ReactorActor func anIdentityThatExpiresIsRemoved() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"c","delegate":{"session":["*"]}}"#)
      await caller.check(
        "identity/add",
        #"{"identity":\#(Self.one),"persistence":"permanent","limits":{"lifetimeSeconds":0.05}}"#,
        has: "identity")
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      await DaemonScene.until {
        account.forgetExpired()
        return account.identities.all.isEmpty
      }
      #expect(account.identityKeys.isEmpty)
      #expect(await Self.isEmptyOnDisk(caller))
      #expect(await other.notification("credential/didChange")?["change"]?.text == "added")
      #expect(await other.notification("credential/didChange")?["change"]?.text == "removed")
    }
  }
}
