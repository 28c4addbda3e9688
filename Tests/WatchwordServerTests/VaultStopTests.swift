import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What is taken back while it waits for the vault leaves nothing in it (messages.md 3.1.8).
@Suite(.serialized) struct VaultStopTests {
  init() { LoopThread.started }

  private static let transfer = #"{"descriptor":0,"passphrase":"of the file"}"#
  private static let credential =
    #"{"protectionSpace":{"protocol":"http","host":"a.example","realm":"r","authenticationMethod":"basic"},"#
    + #""credential":{"user":"joe","password":"pw","persistence":"permanent"}}"#
  private static func material(_ certificate: String, _ key: String) -> String {
    #"{"certificates":\#(TestCertificates.quoted(certificate)),"#
      + #""privateKey":\#(TestCertificates.quoted(key))}"#
  }

  /// Cancels a request that has just been sent.
  @ReactorActor private static func cancel(_ request: Int, of caller: Caller) async {
    await caller.cancel(request)
    let reply = Caller.text(await caller.reply(to: request))
    #expect(reply == Caller.cancelled)
  }

  /// Keeps exports and imports from their work until the gate is open.
  @ReactorActor private static func holdTransfers(_ scene: DaemonScene) throws -> Gate {
    let gate = try Gate()
    // All accounts share a thread.
    try scene.daemon.vaults.account(of: 1).transfer {
      gate.pass()
    } then: {
    }
    return gate
  }

  private static func size(_ file: MemoryDescriptor) -> off_t {
    var information = stat()
    fstat(file.number, &information)
    return information.st_size
  }

  @Test @ReactorActor func anExportThatIsCancelledWritesNothing() async throws {
    let folder = try TemporaryFolder()
    let file = try MemoryDescriptor()
    try await DaemonScene.call(in: folder) { caller, scene in
      await caller.check("credential/set", Self.credential, is: "{}")
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let before = scene.daemon.budget.total
      let gate = try Self.holdTransfers(scene)
      await Self.cancel(caller.send("vault/export", Self.transfer, descriptors: [file.number]), of: caller)
      // Its memory is given back when the thread has done with it.
      #expect(account.isTransferring && scene.daemon.budget.total > before)
      gate.open()
      await DaemonScene.until { !account.isTransferring && scene.daemon.budget.total <= before }
      #expect(Self.size(file) == 0)
      await caller.check(
        "vault/export", Self.transfer, descriptors: [file.number],
        is: #"{"credentials":1,"trust":0,"identities":0}"#)
      #expect(Self.size(file) > 0)
    }
  }

  @Test @ReactorActor func anImportThatIsCancelledAddsNothing() async throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let file = try MemoryDescriptor()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("credential/set", Self.credential, is: "{}")
      await caller.check(
        "vault/export", Self.transfer, descriptors: [file.number],
        is: #"{"credentials":1,"trust":0,"identities":0}"#)
    }
    file.rewind()
    try await DaemonScene.call(in: other) { caller, scene in
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      let before = scene.daemon.budget.total
      let gate = try Self.holdTransfers(scene)
      let request = caller.send("vault/import", Self.transfer, descriptors: [file.number])
      // The file is being opened.
      await DaemonScene.until { account.isTransferring }
      await Self.cancel(request, of: caller)
      #expect(account.isTransferring && scene.daemon.budget.total > before)
      gate.open()
      await DaemonScene.until { !account.isTransferring && scene.daemon.budget.total <= before }
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      file.rewind()
      await caller.check(
        "vault/import", Self.transfer, descriptors: [file.number],
        is: #"{"added":1,"replaced":0,"skipped":0}"#)
    }
  }

  /// challenges.md 11.14: neither when the reply is taken back nor when the challenge ends meanwhile.
  @Test(arguments: [true, false])
  @ReactorActor func aReplyThatComesToNothingKeepsNoIdentity(_ isCancelled: Bool) async throws {
    let folder = try TemporaryFolder()
    let one = Self.material(TestCertificates.one, TestCertificates.oneKey)
    let two = Self.material(TestCertificates.two, TestCertificates.twoKey)
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let added = await caller.ask("identity/add", #"{"session":"a","identity":\#(one)}"#)
      let own = added["identity"]?.text ?? ""
      _ = await caller.ask("task/start", #"{"url":"https://a.example/x","session":"a","task":"t"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.finish(.clientCertificateUndecided(TestCertificates.request))
      let asked = await caller.notification("task/didReceiveChallenge")
      let reply = await caller.send(
        "challenge/reply",
        #"{"challenge":"\#(asked?["challenge"]?.text ?? "")","disposition":"useCredential","#
          + #""credential":{"identity":"\#(own)","persistence":"permanent"}}"#)
      if isCancelled {
        await Self.cancel(reply, of: caller)
      } else {
        await caller.check("task/cancel", #"{"task":"t"}"#, is: #"{"task":"t"}"#)
        let refused = Caller.text(await caller.reply(to: reply))
        #expect(refused == "challengeNotPending: no such challenge is pending")
      }
      // Is written behind it.
      let kept = await caller.ask(
        "identity/add", #"{"session":"a","identity":\#(two),"persistence":"permanent"}"#)
      let identities = await caller.ask("identity/list", #"{"session":"a"}"#)["identities"]?.elements ?? []
      let permanent = identities.filter { $0["persistence"]?.text == "permanent" }
      #expect(permanent.count == 1 && permanent[0]["identity"] == kept["identity"])
    }
  }
}
