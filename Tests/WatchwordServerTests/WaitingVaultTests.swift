import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// Requests that wait until another daemon leaves the directory of the vault, and what is cancelled meanwhile.
@Suite(.serialized) struct WaitingVaultTests {
  init() { LoopThread.started }

  /// Another daemon: it has the directory until it leaves.
  private final class OtherDaemon {
    private var directory: StateDirectory?

    init(in place: StatePlace) throws {
      directory = try StateDirectory.open(place, isMade: true)
    }

    func leave() { directory = nil }
  }

  /// Runs `body` with a caller, a daemon and another one.
  @ReactorActor
  private static func scene(
    _ body: (Caller, DaemonScene, OtherDaemon) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      mkdir(folder.path(of: "state"), 0o700)
      let name = "state/vault-\(caller.peer.process.uid)"
      let other = try OtherDaemon(in: try #require(StatePlace.resolve(folder.path(of: name)) { _ in nil }))
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      try await body(caller, scene, other)
    }
  }

  /// The vault was looked for in vain, and is looked for again later.
  @ReactorActor
  private static func waits(_ caller: Caller, _ scene: DaemonScene) async -> VaultAccount {
    let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
    await DaemonScene.until { account.isBusy }
    await DaemonScene.until { !account.isBusy }
    return account
  }

  @ReactorActor
  private static func cancel(_ request: Int, _ caller: Caller) async {
    await caller.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"# + "\n")
    await caller.check("ping", is: "{}")
  }

  private static func set(_ user: String, _ password: String) -> String {
    #"{"session":"a","protectionSpace":{"protocol":"http","host":"a.example","realm":"r","#
      + #""authenticationMethod":"basic"},"#
      + #""credential":{"user":"\#(user)","password":"\#(password)","persistence":"permanent"}}"#
  }

  private static let cancelled = "requestCancelled: the caller cancelled it"

  @Test @ReactorActor func credentialsKeepTheirOrderAndWhatIsCancelledIsNotKept() async throws {
    try await Self.scene { caller, scene, other in
      var requests: [Int] = []
      for (user, password) in [("joe", "1"), ("ann", "2"), ("joe", "3")] {
        requests.append(await caller.send("credential/set", Self.set(user, password)))
      }
      let account = await Self.waits(caller, scene)
      await Self.cancel(requests[1], caller)
      #expect(Caller.text(await caller.reply(to: requests[1])) == Self.cancelled)
      other.leave()
      for request in [requests[0], requests[2]] {
        #expect(Caller.text(await caller.reply(to: request)) == "{}")
      }
      var passwords: [Secret] = []
      for kept in account.credentials.all {
        if case .password(_, let password) = kept.credential.kind { passwords.append(password) }
      }
      #expect(passwords == [Secret("3".utf8)])
    }
  }

  /// It is kept whatever becomes of its caller: a cancellation is not confirmed.
  @Test @ReactorActor func anIdentityThatIsWrittenIsKept() async throws {
    try await Self.scene { caller, scene, other in
      let certificates = TestCertificates.quoted(TestCertificates.one)
      let identity =
        #"{"certificates":\#(certificates),"privateKey":\#(TestCertificates.quoted(TestCertificates.oneKey))}"#
      let request = await caller.send(
        "identity/add", #"{"session":"a","identity":\#(identity),"persistence":"permanent"}"#)
      let account = await Self.waits(caller, scene)
      await Self.cancel(request, caller)
      other.leave()
      let added = await caller.reply(to: request)
      #expect(added["identity"] != nil && account.identities.count == 1)
    }
  }

  @Test @ReactorActor func aDecisionOfACancelledReplyIsTakenBack() async throws {
    try await Self.scene { caller, scene, other in
      _ = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.finish(.serverTrustUndecided(try TestCertificates.untrusted(1)))
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      let request = await caller.send(
        "challenge/reply",
        #"{"challenge":"\#(challenge)","disposition":"useCredential","#
          + #""credential":{"trust":"certificate","persistence":"permanent"}}"#)
      let account = await Self.waits(caller, scene)
      await Self.cancel(request, caller)
      #expect(Caller.text(await caller.reply(to: request)) == Self.cancelled)
      other.leave()
      // What comes behind it is written, and it is not there.
      await caller.check("credential/set", Self.set("joe", "1"), is: "{}")
      #expect(account.trust.count == 0)
      await DaemonScene.until { account.storedTrust.count == 0 }
      await caller.check(
        "challenge/describe", #"{"challenge":"\#(challenge)"}"#, has: #""challenge":"\#(challenge)""#)
    }
  }
}
