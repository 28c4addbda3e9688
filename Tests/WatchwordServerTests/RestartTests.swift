import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// `server/restart`, with a next daemon that a test plays (messages.md 11.12).
@Suite(.serialized) struct RestartTests {
  init() { LoopThread.started }

  /// The other end of the pair of sockets, and the process that a daemon takes for the next one.
  @ReactorActor private final class NextDaemon {
    let process: pid_t
    let connection: Int32
    private let own: Int32
    private var isReaped = false

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (own, connection) = (ends[0], ends[1])
      var started = pid_t()
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
      defer { for argument in arguments { free(argument) } }
      try #require(posix_spawn(&started, "/bin/sleep", nil, nil, &arguments, nil) == 0)
      process = started
    }

    func say(_ text: String) { #expect(write(connection, text, text.utf8.count) == text.utf8.count) }

    /// Its process ends, and with it its end of the pair.
    func end() {
      kill(process, SIGKILL)
      close(connection)
    }

    /// The signal with which its process has ended.
    func signal() -> Int32 {
      var status: Int32 = 0
      isReaped = true
      return waitpid(process, &status, 0) == process ? status & 0x7F : -1
    }

    /// A process that has ended and is not waited for would hide the end of every later test in a process of its own.
    deinit {
      guard !isReaped else { return }
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    var successor: Successor { Successor(process, own) }

    /// Reads everything on a thread, as the next daemon does before its loop runs.
    func inheritance() -> Locked<Inheritance??> {
      let read = Locked<Inheritance??>(nil)
      Self.pool.submit { [connection] in
        StateReading(connection).inheritance()
      } then: { inheritance in
        read.withLock { $0 = .some(inheritance) }
      }
      return read
    }
    private static let pool = BlockingPool(threads: 1)
  }

  @Test @ReactorActor func theNextDaemonGetsEverything() async throws {
    try await DaemonScene.call { caller, scene in
      let next = try NextDaemon()
      scene.daemon.startSuccessor = { next.successor }
      _ = await caller.ask("session/open", #"{"name":"a","configuration":{"timeouts":{"requestSeconds":7}}}"#)
      _ = await caller.ask("session/open")
      await caller.check(
        "credential/set",
        #"{"session":"a","protectionSpace":{"protocol":"http","host":"a.example","#
          + #""authenticationMethod":"bearer"},"credential":{"token":"x","persistence":"forSession"}}"#,
        is: "{}")
      let restart = await caller.send("server/restart")
      await DaemonScene.until { scene.daemon.handover != nil }
      // It serves until the next one can.
      await caller.check("server/restart", is: "shuttingDown: another restart has begun")
      await caller.check("session/describe", #"{"session":"a"}"#, has: #""session":"a""#)
      #expect(scene.log == [])
      let read = next.inheritance()
      next.say("R")
      let reply = Caller.text(await caller.reply(to: restart))
      #expect(reply == #"{"restarting":true}"#)
      await DaemonScene.until { scene.hasEnded }
      // The process has ended then.
      scene.daemon.handover = nil
      await DaemonScene.until { read.withLock { $0 != nil } }
      let inheritance = try #require(read.withLock(\.self) ?? nil)
      #expect(inheritance.isWhole && inheritance.unread == 0)
      let state = inheritance.takeState()
      #expect(state.sessions.map(\.name) == ["a"])
      #expect(state.sessions.first?.configuration.timeouts.requestSeconds == 7)
      #expect(state.sessions.first?.contents.credentials.count == 1)
      #expect(state.settingsKey == scene.daemon.registry.settingsKey)
      #expect(
        scene.log == [
          "restarting successor=\(next.process)", "stopping tasks=0",
          "giving the state successor=\(next.process)",
        ])
      // It is left running.
      #expect(kill(next.process, 0) == 0)
    }
  }

  @Test(arguments: [
    ("Fno room", "restartFailed: the next daemon cannot serve: no room"),
    ("X", "restartFailed: the next daemon ended, or was not ready in time"),
    ("", "restartFailed: the next daemon ended, or was not ready in time"),
  ])
  @ReactorActor func aNextDaemonThatCannotServeChangesNothing(_ said: String, _ expected: String) async throws
  {
    try await DaemonScene.call { caller, scene in
      let next = try NextDaemon()
      scene.daemon.startSuccessor = { next.successor }
      let restart = await caller.send("server/restart")
      await DaemonScene.until { scene.daemon.handover != nil }
      if said.isEmpty { next.end() } else { next.say(said) }
      let reply = Caller.text(await caller.reply(to: restart))
      #expect(reply == expected && scene.daemon.handover == nil)
      #expect(next.signal() == SIGKILL)
      if !said.isEmpty { close(next.connection) }
      #expect(scene.log == ["not restarted reason=\(expected.dropFirst(15))"])
      await caller.check("ping", is: "{}")
      #expect(!scene.daemon.isStopping)
    }
  }

  @Test @ReactorActor func aNextDaemonThatIsNotStartedChangesNothing() async throws {
    try await DaemonScene.call { caller, scene in
      scene.daemon.startSuccessor = { () throws(Successor.SuccessionFault) in
        throw .notStarted("no such program")
      }
      await caller.check(
        "server/restart", is: "restartFailed: the next daemon cannot be started: no such program")
      #expect(scene.daemon.handover == nil && !scene.daemon.isStopping)
    }
  }

  /// A stop before the next daemon can serve is a stop. The connection waits for tasks only.
  @Test(arguments: [true, false]) @ReactorActor func aStopEndsARestart(hasTask: Bool) async throws {
    try await DaemonScene.call { caller, scene in
      let next = try NextDaemon()
      scene.daemon.startSuccessor = { next.successor }
      if hasTask {
        _ = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
        await DaemonScene.until { scene.exchange != nil }
      }
      let restart = await caller.send("server/restart")
      await DaemonScene.until { scene.daemon.handover != nil }
      scene.daemon.stop(isGraceful: true)
      #expect(scene.daemon.handover == nil && next.signal() == SIGKILL)
      close(next.connection)
      let reply = Caller.text(await caller.reply(to: restart))
      #expect(reply == (hasTask ? "shuttingDown: the daemon is stopping" : "\"the connection has ended\""))
      scene.exchange?.respond(200)
      await DaemonScene.until { scene.hasEnded }
      await #expect(throws: RPCError.shuttingDown("the daemon is stopping")) {
        try await scene.daemon.restart()
      }
    }
  }

  /// In place of a next daemon that has ended meanwhile another one is started, once.
  @Test(arguments: [true, false])
  @ReactorActor func anotherOneIsStartedOnce(isSecondAlive: Bool) async throws {
    try await DaemonScene.call { caller, scene in
      var made: [NextDaemon] = []
      let (first, second) = (try NextDaemon(), try NextDaemon())
      var rest = [first, second]
      scene.daemon.startSuccessor = {
        made.append(rest.removeFirst())
        return made[made.count - 1].successor
      }
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      let restart = await caller.send("server/restart")
      await DaemonScene.until { made.count == 1 }
      first.say("R")
      _ = await caller.reply(to: restart)
      // It waits for the task.
      #expect(!scene.hasEnded)
      first.end()
      scene.exchange?.respond(200)
      _ = await caller.reply(to: task)
      await DaemonScene.until { made.count == 2 }
      let read = isSecondAlive ? second.inheritance() : nil
      if isSecondAlive { second.say("R") } else { second.end() }
      await DaemonScene.until { scene.hasEnded }
      if let read {
        scene.daemon.handover = nil
        await DaemonScene.until { read.withLock { $0 != nil } }
        let inheritance = try #require(read.withLock(\.self) ?? nil)
        #expect(inheritance.isWhole && inheritance.takeState().sessions.map(\.name) == ["a"])
      }
      #expect(first.signal() == SIGKILL && scene.daemon.handover == nil && rest.isEmpty)
      let failures = scene.log.count { $0 == "the next daemon has not taken everything over" }
      #expect(failures == (isSecondAlive ? 1 : 2))
    }
  }
}
