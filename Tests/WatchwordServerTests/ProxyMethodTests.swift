import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Fetches through a proxy: its faults, its challenges, and what `explain` says of them (methods.md 15).
@Suite(.serialized) struct ProxyMethodTests {
  init() { LoopThread.started }

  private static func open(_ proxy: String) -> String {
    #"{"name":"a","configuration":{"proxies":{"all":"\#(proxy)"}},"delegate":{"tasks":["*"]}}"#
  }

  @ReactorActor private static func fetch(
    _ caller: Caller, _ scene: DaemonScene, _ end: (FakeExchange) -> Void
  ) async -> JSONValue {
    let task = await caller.send("fetch", #"{"url":"https://a.example/x?q","session":"a"}"#)
    await DaemonScene.until { scene.exchange != nil }
    if let exchange = scene.exchange { end(exchange) }
    return await caller.reply(to: task)
  }

  @Test(
    arguments: [
      (
        .atProxy(.timedOut(.connect)), "timedOut",
        "the proxy http://p.example:3128: the fetch took too long while connecting"
      ),
      (
        .proxyRefused(ResponseHead(status: 503, headers: [])), "proxyFailed",
        "the proxy http://p.example:3128 opens no tunnel to https://a.example:443: status 503"
      ),
      (
        .atProxy(.nameNotResolved), "proxyFailed",
        "the name of the proxy http://p.example:3128 was not resolved"
      ),
      (
        .atProxy(.serverTrustRejected([TrustFault(reason: .expired, depth: 0)])), "serverTrustRejected",
        "the proxy http://p.example:3128: "
      ),
    ] as [(TransportError, String, String)])
  @ReactorActor func aFaultNamesTheProxy(_ error: TransportError, _ kind: String, _ message: String)
    async throws
  {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open("http://p.example:3128"))
      let reply = await Self.fetch(caller, scene) { $0.finish(error) }
      let data = reply["data"]
      #expect(data?["kind"]?.text == kind && data?["hop"]?.text == "proxy")
      #expect(data?["url"]?.text == "https://a.example/x" && data?["proxy"]?.text == "http://p.example:3128")
      let text = reply["message"]?.text ?? ""
      #expect(
        kind == "timedOut" ? text.hasPrefix("the proxy http://p.example:3128: ") : text.hasPrefix(message))
      guard case .object(let members)? = data else { return }
      #expect(Set(members.members.map(\.name)).count == members.members.count)
    }
  }

  /// The text says at which certificate of the chain the fault is.
  @Test(arguments: [(0, "it "), (1, "an issuer's certificate ")])
  @ReactorActor func aRefusedChainSaysWhere(_ depth: Int, _ expected: String) async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let reply = await Self.fetch(caller, scene) {
        $0.finish(.serverTrustRejected([TrustFault(reason: .expired, depth: depth)]))
      }
      #expect(
        reply["message"]?.text.contains(expected + "has expired") == true, "\(reply["message"]?.text ?? "")")
    }
  }

  @Test @ReactorActor func aProxyAsksForACredential() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask(
        "session/open", #"{"name":"a","configuration":{"proxies":{"all":"http://p.example:3128"}}}"#)
      let head = ResponseHead(
        status: 407, headers: [HeaderField("Proxy-Authenticate", #"Basic realm="r""#), HeaderField("X", "y")])
      let reply = await Self.fetch(caller, scene) { $0.finish(.proxyAuthenticationRequired(head)) }
      #expect(reply["message"]?.text == "the proxy http://p.example:3128 asks for a credential")
      #expect(reply["data"]?["status"] == .integer(407) && reply["data"]?["headers"] != nil)
    }
  }

  /// `explain` shows the questions of the proxy that a fetch would go through, and of no other.
  @Test @ReactorActor func explainShowsTheQuestionsOfTheProxy() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", Self.open("http://p.example:3128"))
      _ = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      let head = ResponseHead(status: 407, headers: [HeaderField("Proxy-Authenticate", #"Basic realm="r""#)])
      scene.exchange?.finish(.proxyAuthenticationRequired(head))
      let asked = await caller.notification("task/didReceiveChallenge")
      let challenge = asked?["challenge"]?.text ?? ""
      #expect(asked?["protectionSpace"]?["proxyType"]?.text == "http")
      await caller.check("explain", #"{"url":"https://b.example/","session":"a"}"#, has: challenge)
      _ = await caller.ask(
        "session/open", #"{"name":"b","configuration":{"proxies":{"all":"http://q.example:1"}}}"#)
      await caller.check(
        "explain", #"{"url":"https://a.example/","session":"b"}"#, has: #""pendingChallenges":[]"#)
    }
  }
}
