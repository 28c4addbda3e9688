import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Replies that need more than a credential: a passphrase, a person at another page, a vault (challenges.md 5).
@Suite(.serialized) struct ChallengeReplyTests {
  init() { LoopThread.started }

  private static let bearer = [HeaderField("WWW-Authenticate", "Bearer")]
  private static let basic = [HeaderField("WWW-Authenticate", #"Basic realm="r""#)]

  private static func reply(_ challenge: String, _ credential: String) -> String {
    #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":\#(credential)}"#
  }

  /// storage.md 9.11: a task that needs a locked agent asks for its passphrase.
  @Test @ReactorActor func aPassphraseUnlocksTheAgent() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.daemon.registry.all.first?.state.board.pendingCount == 1 }
      let challenges = await caller.ask("challenge/list")["challenges"]?.elements ?? []
      let asked = challenges.first
      #expect(challenges.count == 1)
      #expect(asked?["protectionSpace"]?["authenticationMethod"]?.text == "agentUnlock")
      let challenge = asked?["challenge"]?.text ?? ""
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":{"passphrase":"wrong"}}"#,
        is: "credentialUnusable: the passphrase is wrong")
      await caller.check(
        "challenge/reply",
        #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":{"passphrase":"p"}}"#,
        is: #"{"accepted":true}"#)
      #expect(!scene.daemon.isLocked(caller.peer.process.uid))
      await DaemonScene.until { scene.exchange != nil }
      #expect(scene.daemon.counters.challengesAnswered == 1)
      scene.exchange?.respond(204)
      #expect(await caller.reply(to: task)["status"] == .integer(204))
    }
  }

  /// storage.md 9.7: a source that needs a person is bound to the challenge, which shows the code.
  @Test(arguments: [true, false])
  @ReactorActor func aSourceThatNeedsAPersonIsBound(isDeclined: Bool) async throws {
    let endpoint = RequestURL(
      origin: Origin(scheme: .https, host: "id.example", port: 443), path: "/t", query: nil)
    let source = NamedSource(
      .oauth(
        OAuthSource(
          client: OAuthClient(
            grant: .deviceCode, tokenEndpoint: endpoint, deviceEndpoint: endpoint, identifier: "c"),
          secretFile: nil, refreshTokenFile: nil, roots: nil)))
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      var requests: [FakeExchange] = []
      scene.onEndpointRequest = { requests.append($0) }
      let json = [HeaderField("Content-Type", "application/json")]
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"https://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, Self.bearer)
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      if isDeclined {
        await caller.check(
          "challenge/reply",
          #"{"challenge":"\#(challenge)","disposition":"cancelAuthenticationChallenge","#
            + #""credential":{"source":"s"}}"#,
          is: #"{"accepted":true}"#)
        let reply = await caller.reply(to: task)
        #expect(reply["data"]?["kind"]?.text == "userCancelledAuthentication")
        #expect(requests.isEmpty)
        return
      }
      await caller.check(
        "challenge/reply", Self.reply(challenge, #"{"source":"s","persistence":"forSession"}"#),
        is: #"{"accepted":true}"#)
      await DaemonScene.until { requests.count == 1 }
      requests[0].respond(
        200, json,
        body: #"{"device_code":"d","user_code":"AB","verification_uri":"https://id.example/v","#
          + #""expires_in":600,"interval":0}"#)
      await caller.check("challenge/list", has: "AB", "https://id.example/v")
      await DaemonScene.until { requests.count == 2 }
      requests[1].respond(200, json, body: #"{"access_token":"x"}"#)
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      #expect(scene.exchange?.authorization == "Bearer x")
      scene.exchange?.respond(200)
      #expect(await caller.reply(to: task)["status"] == .integer(200))
      await caller.check("credential/list", #"{"session":"a"}"#, has: #""sourceName":"s""#)
    }
  }

  /// storage.md 9.6: a permanent credential of a reply is kept when a server has accepted it.
  @Test(arguments: [(200, ["permanent"]), (401, [])] as [(Int, [String])])
  @ReactorActor func aPermanentReplyIsKeptOnceItIsAccepted(_ status: Int, _ kept: [String]) async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, Self.basic)
      let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
      await caller.check(
        "challenge/reply", Self.reply(challenge, #"{"user":"u","password":"p","persistence":"permanent"}"#),
        is: #"{"accepted":true}"#)
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      scene.exchange?.respond(status, status == 401 ? Self.basic : [])
      if status == 401 {
        #expect(await caller.notification("task/didReceiveChallenge")?["previousFailureCount"] == .integer(1))
        _ = await caller.ask("task/cancel", #"{"task":"t1"}"#)
      }
      _ = await caller.reply(to: task)
      let listed = await caller.ask("credential/list", #"{"session":"a"}"#)["credentials"]?.elements ?? []
      #expect(listed.compactMap { $0["persistence"]?.text } == kept)
      #expect(listed.allSatisfy { $0["isDefault"] == .bool(true) })
      #expect(scene.daemon.vaults.account(of: caller.peer.process.uid).credentials.count == kept.count)
    }
  }

  /// storage.md 9.3: what a private session of another connection did is not shown.
  @Test @ReactorActor func theHistoryOfAPrivateSessionIsItsConnections() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let own = await caller.ask("session/open", #"{"delegate":{"tasks":["*"]}}"#)["session"]?.text ?? ""
      for session in ["a", own] {
        let before = scene.exchange
        let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"\#(session)"}"#)
        await DaemonScene.until { scene.exchange !== before }
        scene.exchange?.respond(401, Self.basic)
        let challenge = await caller.notification("task/didReceiveChallenge")?["challenge"]?.text ?? ""
        let count = scene.daemon.counters.historyEntries
        await caller.check(
          "challenge/reply",
          Self.reply(challenge, #"{"user":"u","password":"p","persistence":"forSession"}"#),
          is: #"{"accepted":true}"#)
        await DaemonScene.until { scene.exchange?.authorization != nil }
        scene.exchange?.respond(200)
        _ = await caller.reply(to: task)
        #expect(scene.daemon.counters.historyEntries > count)
      }
      let sessions = { (entries: JSONValue) in
        Set((entries["entries"]?.elements ?? []).compactMap { $0["session"]?.text }).sorted()
      }
      #expect(sessions(await caller.ask("credential/history")) == ["a", own].sorted())
      let other = try scene.connect()
      #expect(sessions(await other.ask("credential/history")) == ["a"])
    }
  }
}
