import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Tasks whose connection is authenticated token by token (methods.md 14.1).
@Suite(.serialized) struct NegotiatedTaskTests {
  init() { LoopThread.started }

  private static func asked(_ value: String) -> [HeaderField] { [HeaderField("WWW-Authenticate", value)] }

  /// A CHALLENGE_MESSAGE with the names of a computer and its domain ([MS-NLMP] 2.2.1.2).
  private static let challenge: String = {
    let name: [UInt8] = [0x44, 0]
    let information: [UInt8] = [1, 0, 2, 0] + name + [2, 0, 2, 0] + name + [0, 0, 0, 0]
    let head: [UInt8] = Array("NTLMSSP".utf8) + [0, 2, 0, 0, 0, 2, 0, 2, 0, 56, 0, 0, 0]
    let flags: [UInt8] = [0x15, 0x82, 0x89, 0x62]
    let rest: [UInt8] =
      [1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8)
      + [
        UInt8(information.count), 0, UInt8(information.count), 0, 58, 0, 0, 0, 10, 0, 0x61, 0x4A, 0, 0, 0, 15,
      ]
    return Base64.encode(head + flags + rest + name + information)
  }()

  /// A task that has answered a challenge for NTLM; its second exchange has the first token.
  @ReactorActor private static func begin(
    _ caller: Caller, _ scene: DaemonScene, _ members: String = ""
  ) async throws -> (id: Int, exchange: FakeExchange) {
    _ = await caller.ask(
      "session/open",
      #"{"name":"a","configuration":{"methods":{"disabled":[]}},"delegate":{"tasks":["*"],"session":["*"]}}"#)
    let task = await caller.send("fetch", #"{"url":"http://a.example/x","session":"a"\#(members)}"#)
    await DaemonScene.until { scene.exchange != nil }
    scene.exchange?.respond(401, asked("NTLM"))
    let challenge = await caller.notification("session/didReceiveChallenge")?["challenge"]?.text ?? ""
    await caller.check(
      "challenge/reply",
      #"{"challenge":"\#(challenge)","disposition":"useCredential","#
        + #""credential":{"user":"joe","password":"pw"}}"#, is: #"{"accepted":true}"#)
    return (task, try await exchange(2, scene))
  }

  @ReactorActor private static func exchange(_ count: Int, _ scene: DaemonScene) async throws -> FakeExchange
  {
    await DaemonScene.until { scene.engines[0].exchanges.count == count }
    return try #require(scene.exchange)
  }

  @Test @ReactorActor func everyTokenGoesOverTheConnection() async throws {
    try await DaemonScene.call { caller, scene in
      let (task, first) = try await Self.begin(caller, scene, #","metrics":true"#)
      #expect(first.authorization?.hasPrefix("NTLM TlRMTVNTUAAB") == true)
      first.connection = 7
      first.respond(401, Self.asked("NTLM \(Self.challenge)"))
      let second = try await Self.exchange(3, scene)
      #expect(second.authorization?.hasPrefix("NTLM TlRMTVNTUAAD") == true)
      second.connection = 7
      second.respond(200, body: "in")
      let reply = await caller.reply(to: task)
      #expect(reply["body"]?["text"]?.text == "in")
      #expect(scene.engines[0].exchanges.count == 3)
      // The connection that is being authenticated is kept for longer (challenges.md 4.6).
      #expect(scene.engines[0].exchanges[0].limits.allSatisfy { $0 <= 0.5 })
      #expect(first.limits.first ?? 0 > 1)
    }
  }

  @Test @ReactorActor func aTokenThatIsNoneEndsTheTask() async throws {
    try await DaemonScene.call { caller, scene in
      let (task, first) = try await Self.begin(caller, scene)
      first.connection = 7
      first.respond(401, Self.asked("NTLM AAAA"))
      let reply = await caller.reply(to: task)
      #expect(reply["data"]?["kind"]?.text == "authenticationFailed")
    }
  }

  /// methods.md 14.9: tickets of the daemon's account are for its own sessions.
  @Test @ReactorActor func ticketsOfTheDaemonAreForItsOwnSessions() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask(
        "session/configure",
        #"{"session":"a","configuration":{"methods":{"negotiate":{"ambientOrigins":["http://a.example"]}}}}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/x","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, Self.asked("Negotiate"))
      guard case .makingToken? = scene.daemon.tasks.values.first?.known.machine.phase else {
        Issue.record("no ticket is looked for")
        return
      }
      scene.daemon.tasks.values.first?.stop(.cancelled)
      _ = await caller.reply(to: task)
    }
    let other = SessionScene()
    var settings = SessionSettings(SessionConfiguration())
    settings.ambientOrigins = [SessionScene.url().origin]
    other.session.configure(settings, over: nil)
    _ = other.begin()
    other.engine.exchanges[0].respond(401, Self.asked("Negotiate"), body: "page")
    #expect(other.told == ["t1 401 page"])
  }
}
