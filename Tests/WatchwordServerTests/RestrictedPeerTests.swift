import CLinux
import Glibc
import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Connections that have given up rights (restricted.md 2.6).
struct RestrictedPeerTests {
  init() { LoopThread.started }

  private static let rules = #""rules":[{"origin":"http://a.example","path":"/v1/*","methods":["GET"]}]"#

  @Test(arguments: [
    (
      #"{"origin":"http://a.example/x"}"#,
      "invalidParams: params.rules[0].origin: must be a scheme, a host and perhaps a port, and nothing more"
    ),
    (
      #"{"origin":"http://a.example","path":"/a*b"}"#,
      "invalidParams: params.rules[0].path: may have a * at its end only"
    ),
    (
      #"{"origin":"http://a.example","path":"/a/../b"}"#,
      "invalidParams: params.rules[0].path: must be a path as it goes to the server, without dot "
        + "segments, query and fragment"
    ),
    (
      #"{"origin":"http://a.example","path":"/a?b"}"#,
      "invalidParams: params.rules[0].path: must be a path as it goes to the server, without dot "
        + "segments, query and fragment"
    ),
    (
      #"{"origin":"http://a.example","path":"/a#b"}"#,
      "invalidParams: params.rules[0].path: must be a path as it goes to the server, without dot "
        + "segments, query and fragment"
    ),
    (#"{"origin":"http://a.example","path":"/a/*"}"#, #"{"session":"default","restriction":"r1"}"#),
    (#"{"origin":"http://a.example"}"#, #"{"session":"default","restriction":"r1"}"#),
  ])
  @ReactorActor func aRuleMeansWhatItSays(_ rule: String, _ expected: String) async throws {
    try await DaemonScene.call { caller, _ in
      let found = await caller.say("peer/restrict", #"{"rules":[\#(rule)]}"#)
      #expect(found == expected)
    }
  }

  @Test @ReactorActor func aRestrictedConnectionFetchesAndNothingElse() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"b"}"#)
      _ = await caller.ask("task/start", #"{"url":"http://a.example/v1/x","task":"before"}"#)
      _ = await caller.ask("peer/restrict", "{\(Self.rules)}")
      #expect(Array(caller.peer.sessions.keys) == ["default"])
      await caller.check("ping", is: "{}")
      await caller.check(
        "session/list", is: "restricted: a restricted connection may fetch, and nothing else")
      await caller.check(
        "peer/restrict", "{\(Self.rules)}",
        is: "restricted: a restricted connection may fetch, and nothing else")
      await caller.check("task/describe", #"{"task":"before"}"#, is: "taskNotFound: no task before")
      await caller.check(
        "fetch", #"{"url":"http://a.example/v1/x","session":"b"}"#,
        is: "restricted: a restricted connection has only its own session")
      await caller.check(
        "fetch", #"{"url":"http://a.example/v2/x"}"#,
        is: "restricted: no rule of this restricted connection allows this path of http://a.example:80")
      await caller.check(
        "fetch", #"{"url":"http://b.example/v1/x"}"#,
        is: "restricted: no rule of this restricted connection allows http://b.example:80")
      await caller.check(
        "fetch", #"{"url":"http://a.example/v1/x","method":"POST"}"#,
        is: "restricted: no rule of this restricted connection allows this method at http://a.example:80")
      await caller.check(
        "fetch", #"{"url":"http://joe@a.example/v1/x"}"#,
        is: "restricted: params.url: a restricted connection may not set this")
      await caller.check(
        "fetch", #"{"url":"http://a.example/v1/x","proxies":"none"}"#,
        is: "restricted: params.proxies: a restricted connection may not set this")
      await caller.check(
        "fetch", #"{"url":"http://a.example/v1/x","headers":[["X-A","1"]]}"#,
        is: "restricted: params.headers[0][0]: a restricted connection may not set this")
      await caller.check(
        "task/start", #"{"url":"http://a.example/v1/x","detached":true}"#,
        is: "restricted: params.detached: a restricted connection may not set this")
      let task = await caller.send("fetch", #"{"url":"http://a.example/v1/x","task":"own"}"#)
      await caller.check("task/describe", #"{"task":"own"}"#, has: #""state":"running""#)
      scene.exchange?.respond(200)
      #expect(await caller.reply(to: task)["status"] == .integer(200))
      let other = try scene.connect()
      await other.check(
        "session/describe", has: #""restrictions":[{"restriction":"r1""#, #""connections":1"#)
      caller.close()
      await DaemonScene.until { scene.daemon.peers.count == 1 }
      await other.check("session/describe", has: #""restrictions":[]"#)
    }
  }

  @Test @ReactorActor func rulesExpire() async throws {
    try await DaemonScene.call { caller, _ in
      _ = await caller.ask("peer/restrict", #"{"expiresSeconds":0.001,\#(Self.rules)}"#)
      var found = ""
      for _ in 0..<10_000 where !found.contains("expired") {
        found = await caller.say("fetch", #"{"url":"http://a.example/v1/x","method":"POST"}"#)
      }
      #expect(found == "restricted: the rules of this restricted connection have expired")
    }
  }

  /// A socket of the caller's, in a private directory.
  private static func listen(_ folder: TemporaryFolder) -> Int32 {
    clinux_unix_listen(folder.path(of: "s"), 8)
  }

  @Test @ReactorActor func connectionsAtACallersSocketAreRestricted() async throws {
    let folder = try TemporaryFolder()
    let socket = Self.listen(folder)
    try await DaemonScene.call { caller, scene in
      let listen = #"{"descriptor":0,\#(Self.rules)}"#
      await caller.check(
        "peer/listen", listen, descriptors: [caller.descriptor],
        is: "descriptorUnusable: params.descriptor: must be a Unix stream socket that listens")
      #expect(scene.daemon.listenerCount == 0)
      await caller.check(
        "peer/listen", listen, descriptors: [socket], is: #"{"session":"default","restriction":"r1"}"#)
      close(socket)
      #expect(scene.daemon.listenerCount == 1)
      #expect(scene.daemon.listeners(of: caller.peer.process.uid) == 1)
      #expect(scene.daemon.listeners(of: caller.peer.process.uid + 1) == 0)
      let job = try await scene.connect(to: folder.path(of: "s"), as: 2)
      await job.check("session/list", is: "restricted: a restricted connection may fetch, and nothing else")
      await job.check("fetch", #"{"url":"http://b.example/"}"#, has: "restricted: no rule")
      let entrance = try #require(job.peer.entrance)
      #expect(entrance.peers.count == 1 && !entrance.isFull)
      let second = try await scene.connect(to: folder.path(of: "s"), as: 3)
      await second.check("ping", is: "{}")
      #expect(entrance.peers.count == 2)
      second.close()
      await DaemonScene.until { entrance.peers.count == 1 }
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      #expect(await job.rest() == "" && scene.daemon.listenerCount == 0)
    }
  }

  @Test @ReactorActor func aSocketThatIsShutDownIsLeft() async throws {
    let folder = try TemporaryFolder()
    let socket = Self.listen(folder)
    try await DaemonScene.call { caller, scene in
      _ = await caller.say("peer/listen", #"{"descriptor":0,\#(Self.rules)}"#, descriptors: [socket])
      #expect(caller.peer.listeners[0].hasEnded == false)
      shutdown(socket, Int32(SHUT_RDWR))
      close(socket)
      await DaemonScene.until { caller.peer.listeners[0].hasEnded }
    }
  }

  @Test @ReactorActor func soManySocketsAreServed() async throws {
    let folder = try TemporaryFolder()
    let socket = Self.listen(folder)
    defer { close(socket) }
    try await DaemonScene.call { caller, scene in
      let listen = #"{"descriptor":0,\#(Self.rules)}"#
      for _ in 0..<Limits.restrictedListenersPerUID {
        let found = await caller.say("peer/listen", listen, descriptors: [socket])
        #expect(found.contains("restriction"))
      }
      await caller.check(
        "peer/listen", listen, descriptors: [socket], is: "limitExceeded: too many listening sockets")
      let limits = scene.daemon.limits(for: caller.peer)
      #expect(limits.first { $0.name == "restrictedListenersPerUid" }?.used == 32)
    }
  }

  /// A command that floods its socket leaves its user room (restricted.md 2.6).
  @Test @ReactorActor func soManyConnectionsAreAcceptedAtASocket() async throws {
    let folder = try TemporaryFolder()
    let socket = Self.listen(folder)
    try await DaemonScene.call { caller, scene in
      await caller.check(
        "peer/listen", #"{"descriptor":0,\#(Self.rules)}"#, descriptors: [socket],
        is: #"{"session":"default","restriction":"r1"}"#)
      close(socket)
      let most = Limits.connectionsPerListener
      for number in 0..<most {
        let job = try await scene.connect(to: folder.path(of: "s"), as: UInt64(number + 2))
        if number == most - 1 { await job.check("ping", is: "{}") }
      }
      let more = clinux_unix_connect(folder.path(of: "s"))
      defer { close(more) }
      _ = fcntl(more, F_SETFL, O_NONBLOCK)
      var received: [UInt8] = []
      await DaemonScene.until {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(more, &bytes, bytes.count, 0)
        received += bytes.prefix(max(0, count))
        return !received.isEmpty
      }
      let refusal = String(decoding: received, as: UTF8.self)
      #expect(refusal.contains(#""id":null"#) && refusal.contains(#""limit":"connectionsPerListener""#))
      await caller.check("ping", is: "{}")
    }
  }
}
