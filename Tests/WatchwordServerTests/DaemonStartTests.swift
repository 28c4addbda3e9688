import Glibc
import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// The daemon with its socket and its signals, each in a process of its own: signals are of the whole process
/// (messages.md 11).
struct DaemonStartTests {
  /// Runs `body` with a daemon that has started, and says what is in its log.
  @ReactorActor private static func start(
    with change: @ReactorActor (inout DaemonOptions, TemporaryFolder) throws -> Void = { _, _ in },
    _ body: @ReactorActor (DaemonScene, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    var options = DaemonOptions(socketPath: folder.path(of: "s"))
    options.settings.vault.secretService = false
    try change(&options, folder)
    try await DaemonScene.run({ $0 = options }) { scene in
      try scene.daemon.start()
      try await body(scene, folder)
    }
  }

  private static let fetch = #"{"url":"http://a.example/"}"#

  @Test func aDaemonServesUntilASecondSignal() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start { scene, folder in
        #expect(scene.log == ["listening socket=\(folder.path(of: "s"))"] && scene.daemon.isUsed == false)
        let caller = try await scene.connect(to: folder.path(of: "s"), as: 1)
        await caller.check("status", has: #""socket":"\#(folder.path(of: "s"))""#)
        let second = try await scene.connect(to: folder.path(of: "s"), as: 2)
        await second.check("ping", is: "{}")
        let task = await caller.send("fetch", Self.fetch)
        await DaemonScene.until { scene.exchange != nil }
        // A first one lets the task finish.
        raise(SIGTERM)
        await DaemonScene.until { scene.daemon.isStopping }
        #expect(folder.names == [] && !scene.hasEnded && scene.daemon.tasks.count == 1)
        raise(SIGINT)
        let reply = Caller.text(await caller.reply(to: task))
        #expect(reply == "taskInterrupted: the daemon stopped before the task ended")
        await DaemonScene.until { scene.hasEnded }
      }
    }
  }

  @Test func aSignalClearsMemory() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start { scene, folder in
        let caller = try await scene.connect(to: folder.path(of: "s"), as: 1)
        await caller.check(
          "credential/set",
          #"{"protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"},"#
            + #""credential":{"token":"x","persistence":"forSession"}}"#, is: "{}")
        raise(SIGUSR1)
        await DaemonScene.until { scene.log.contains("memory cleared") }
        await caller.check("credential/list", is: #"{"credentials":[]}"#)
        scene.daemon.stop(isGraceful: false)
        await DaemonScene.until { scene.hasEnded }
      }
    }
  }

  @Test func aSignalReadsTheConfigurationAgain() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start(with: { options, folder in
        options.configuration = .given(try folder.write(#"{"agent":{"idleLockSeconds":5}}"#, to: "c.json"))
      }) { scene, _ in
        #expect(scene.daemon.settings.agent.idleLockSeconds == nil)
        raise(SIGHUP)
        await DaemonScene.until { scene.log.contains("configuration reloaded") }
        #expect(scene.daemon.settings.agent.idleLockSeconds == 5 && !scene.daemon.isStopping)
        scene.daemon.stop(isGraceful: false)
        await DaemonScene.until { scene.hasEnded }
      }
    }
  }

  @Test func aSignalStartsTheNextDaemon() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start { scene, _ in
        scene.daemon.startSuccessor = { () throws(Successor.SuccessionFault) in
          throw .notStarted("no such program")
        }
        raise(SIGUSR2)
        await DaemonScene.until { scene.log.count == 2 }
        #expect(
          scene.log[1] == "not restarted reason=the next daemon cannot be started: no such program")
        #expect(!scene.daemon.isStopping)
        scene.daemon.stop(isGraceful: false)
        await DaemonScene.until { scene.hasEnded }
      }
    }
  }

  /// The proxies of the environment are read once, and a person who reads the log learns of a mistake in
  /// them.
  @Test func aProxyThatIsNoneIsNamedInTheLog() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start(with: { options, _ in
        options.proxies = ProxyEnvironment { ["http_proxy": Secret("ftp://x".utf8)][$0] }
      }) { scene, _ in
        #expect(scene.log.first == "not a proxy's URL or exception variable=http_proxy")
        scene.daemon.stop(isGraceful: false)
        await DaemonScene.until { scene.hasEnded }
      }
    }
  }

  /// restricted.md 2.6.17: all sockets are there, or none.
  @Test func aRestrictedSocketThatCannotBeMadeLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.failToStart()
    }
  }

  @ReactorActor private static func failToStart() async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "other")
    try await DaemonScene.run({
      $0.socketPath = folder.path(of: "s")
      $0.settings.restrictedSockets = ["first", "other"].map {
        RestrictedSocket(path: folder.path(of: $0), session: "a", rules: [])
      }
    }) { scene in
      var text = ""
      do throws(ListenerFault) { try scene.daemon.start() } catch { text = error.text }
      #expect(text == "\(folder.path(of: "other")): exists and is not a socket")
      #expect(!folder.names.contains("s") && !folder.names.contains("first"))
      #expect(scene.daemon.restrictedSockets.isEmpty && scene.log == [])
    }
  }

  /// Nobody else may reach a socket, though they may reach a host-wide one.
  @Test func aRestrictedSocketHasAPrivateDirectory() throws {
    let folder = try TemporaryFolder()
    var options = DaemonOptions(socketPath: folder.path(of: "s"))
    options.settings.restrictedSockets = [
      RestrictedSocket(path: folder.path(of: "r"), session: "a", rules: [])
    ]
    try Daemon.check(options)
    chmod(folder.path, 0o755)
    var text = ""
    do throws(ListenerFault) { try Daemon.check(options) } catch { text = error.text }
    #expect(text == "\(folder.path): is open to others; its mode must be 0700")
  }

  /// restricted.md 2.6.11 to 2.6.17.
  @Test func anAdministratorsSocketServesItsSession() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.start(with: { options, folder in
        let text =
          #"{"restrictedSockets":[{"path":"\#(folder.path(of: "r"))","session":"jobs","#
          + #""rules":[{"origin":"http://a.example"}]}]}"#
        let path = try folder.write(text, to: "c.json")
        options.settings.restrictedSockets = try ConfigurationFile(.given(path)).settings.restrictedSockets
        unlink(path)
      }) { scene, folder in
        #expect(folder.names == ["r", "r.lock", "r.restricted", "s", "s.lock"])
        let job = try await scene.connect(to: folder.path(of: "r"), as: 1)
        await job.check("session/list", is: "restricted: a restricted connection may fetch, and nothing else")
        let second = try await scene.connect(to: folder.path(of: "r"), as: 2)
        await second.check("ping", is: "{}")
        // Both are in one session, by one restriction.
        #expect(job.peer.restriction === second.peer.restriction && job.peer.restriction?.maker == nil)
        let caller = try await scene.connect(to: folder.path(of: "s"), as: 3)
        await caller.check(
          "session/describe", #"{"session":"jobs"}"#, has: #""connections":2"#,
          #""socket":"\#(folder.path(of: "r"))""#)
        job.close()
        await DaemonScene.until { scene.daemon.peers.count == 2 }
        // Those of the others go on.
        #expect(second.peer.restriction?.rules != nil)
        // A session that has ended is made again for the next one.
        _ = await caller.ask("session/invalidate", #"{"session":"jobs"}"#)
        let third = try await scene.connect(to: folder.path(of: "r"), as: 4)
        #expect(third.peer.restriction !== second.peer.restriction && third.peer.restriction?.rules != nil)
        scene.daemon.stop(isGraceful: false)
        await DaemonScene.until { scene.hasEnded }
        #expect(folder.names == ["r.restricted"])
      }
    }
  }
}
