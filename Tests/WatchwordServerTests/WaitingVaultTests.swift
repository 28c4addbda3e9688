import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
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

  private static let space = ProtectionSpace(
    origin: Origin(scheme: .http, host: "a.example", port: 80), realm: "r", authenticationMethod: .basic)

  private static func set(_ user: String, _ password: String) -> String {
    #"{"session":"a","protectionSpace":{"protocol":"http","host":"a.example","realm":"r","#
      + #""authenticationMethod":"basic"},"#
      + #""credential":{"user":"\#(user)","password":"\#(password)","persistence":"permanent"}}"#
  }

  @ReactorActor
  private static func passwords(in account: VaultAccount) -> [Secret] {
    account.credentials.all.compactMap { kept in
      if case .password(_, let password) = kept.credential.kind { password } else { nil }
    }
  }

  @Test @ReactorActor func credentialsKeepTheirOrderAndWhatIsCancelledIsNotKept() async throws {
    try await Self.scene { caller, scene, other in
      var requests: [Int] = []
      for (user, password) in [("joe", "1"), ("ann", "2"), ("joe", "3")] {
        requests.append(await caller.send("credential/set", Self.set(user, password)))
      }
      let account = await Self.waits(caller, scene)
      await caller.cancel(requests[1])
      #expect(Caller.text(await caller.reply(to: requests[1])) == Caller.cancelled)
      other.leave()
      for request in [requests[0], requests[2]] {
        #expect(Caller.text(await caller.reply(to: request)) == "{}")
      }
      #expect(Self.passwords(in: account) == [Secret("3".utf8)])
    }
  }

  /// What comes as soon as the vault is open comes behind what has waited for that.
  @Test @ReactorActor func aChangeOfTheMomentOfOpeningComesLast() async throws {
    try await Self.scene { caller, scene, other in
      let request = await caller.send("credential/set", Self.set("joe", "1"))
      let account = await Self.waits(caller, scene)
      let later = Credential(.password(user: "joe", password: Secret("2".utf8)), persistence: .permanent)
      account.prepare { [unowned account] _ in
        account.submit(.store(later, for: [Self.space], isDefault: false, over: [])) { _ in }
      }
      other.leave()
      #expect(Caller.text(await caller.reply(to: request)) == "{}")
      await DaemonScene.until { !account.isBusy && Self.passwords(in: account) == [Secret("2".utf8)] }
    }
  }

  /// messages.md 3.1.8: once its change is on the way to the disk it is not taken back.
  @Test @ReactorActor func whatIsBeingWrittenIsNotCancelled() async throws {
    try await Self.scene { caller, scene, other in
      let request = await caller.send("credential/set", Self.set("joe", "1"))
      let account = await Self.waits(caller, scene)
      let gate = try Gate()
      var isOpen = false
      account.prepare { [unowned account] _ in
        // Nothing is written while the thread waits.
        account.worker.submit {
          gate.pass()
        } then: {
        }
        isOpen = true
      }
      other.leave()
      await DaemonScene.until { isOpen }
      await caller.cancel(request)
      #expect(!caller.hasReply(to: request) && Self.passwords(in: account) == [])
      gate.open()
      #expect(Caller.text(await caller.reply(to: request)) == "{}")
      #expect(Self.passwords(in: account) == [Secret("1".utf8)])
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
      await caller.cancel(request)
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
      await caller.cancel(request)
      #expect(Caller.text(await caller.reply(to: request)) == Caller.cancelled)
      other.leave()
      // What comes behind it is written, and it is not there.
      await caller.check("credential/set", Self.set("joe", "1"), is: "{}")
      #expect(account.trust.count == 0)
      await DaemonScene.until { account.holdings.storedTrust.count == 0 }
      await caller.check(
        "challenge/describe", #"{"challenge":"\#(challenge)"}"#, has: #""challenge":"\#(challenge)""#)
    }
  }
}
