import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// What belongs to which uid, in processes that change theirs: only those of root can, and others check
/// nothing here (security.md 2).
struct ForeignUIDTests {
  private static let (own, other): (uid_t, uid_t) = (41_001, 41_002)

  /// Runs `body` as a process that was started by `own`.
  @ReactorActor private static func asAnother(
    _ change: (inout DaemonOptions) -> Void = { _ in },
    _ body: @ReactorActor (DaemonScene, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    var options = DaemonOptions(socketPath: folder.path(of: "s"))
    options.settings.vault.secretService = false
    change(&options)
    try await DaemonScene.run({ $0 = options }) { scene in
      try scene.daemon.start()
      chmod(folder.path, 0o711)
      chmod(folder.path(of: "s"), 0o666)
      try #require(setreuid(own, 0) == 0)
      try await body(scene, folder)
      try #require(setreuid(0, 0) == 0)
      scene.daemon.stop(isGraceful: false)
      await DaemonScene.until { scene.hasEnded }
    }
  }

  /// Connects as this uid.
  @ReactorActor private static func connect(
    _ uid: uid_t, _ scene: DaemonScene, _ folder: TemporaryFolder, as number: UInt64
  ) async throws -> Caller {
    try #require(seteuid(uid) == 0)
    let descriptor = clinux_unix_connect(folder.path(of: "s"))
    try #require(seteuid(0) == 0 && descriptor >= 0)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    await DaemonScene.until { scene.daemon.peers[PeerIdentifier(number)] != nil }
    return try Caller(descriptor, try #require(scene.daemon.peers[PeerIdentifier(number)]))
  }

  /// Whether a connection of this uid is taken; it is closed otherwise.
  @ReactorActor private static func isTaken(_ uid: uid_t, _ folder: TemporaryFolder) async throws -> Bool {
    try #require(seteuid(uid) == 0)
    let descriptor = clinux_unix_connect(folder.path(of: "s"))
    try #require(seteuid(0) == 0 && descriptor >= 0)
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n"
    _ = send(descriptor, ping, ping.utf8.count, Int32(MSG_NOSIGNAL))
    var room = [UInt8](repeating: 0, count: 99)
    var count = -1
    await DaemonScene.until {
      if count < 0 { count = recv(descriptor, &room, room.count, 0) }
      return count >= 0
    }
    return count > 0
  }

  /// The same of the daemon's uid, of root and of another one.
  @ReactorActor private static func taken(_ folder: TemporaryFolder) async throws -> [Bool] {
    [try await isTaken(own, folder), try await isTaken(0, folder), try await isTaken(other, folder)]
  }

  @Test func onlyTheOwnUIDAndRootConnect() async {
    await #expect(processExitsWith: .success) {
      guard getuid() == 0 else { return }
      LoopThread.started
      try await Self.asAnother { _, folder in
        let taken = try await Self.taken(folder)
        #expect(taken == [true, true, false])
      }
    }
  }

  @Test func everyUIDConnectsToASocketOfTheHost() async {
    await #expect(processExitsWith: .success) {
      guard getuid() == 0 else { return }
      LoopThread.started
      try await Self.asAnother({ $0.settings.access = .host }) { _, folder in
        let taken = try await Self.taken(folder)
        #expect(taken == [true, true, true])
      }
    }
  }

  @Test func onlyTheOwnUIDAndRootReload() async {
    await #expect(processExitsWith: .success) {
      guard getuid() == 0 else { return }
      LoopThread.started
      try await Self.asAnother({ $0.settings.access = .host }) { scene, folder in
        let own = try await Self.connect(Self.own, scene, folder, as: 1)
        let other = try await Self.connect(Self.other, scene, folder, as: 2)
        let root = try await Self.connect(0, scene, folder, as: 3)
        await own.check("server/reload", is: #"{"reloaded":true}"#)
        await root.check("server/reload", is: #"{"reloaded":true}"#)
        let refused = await other.ask("server/reload")
        #expect(refused["data"]?["kind"]?.text == "notAllowed" || refused["message"] != nil)
        // Each sees its own sessions, and root sees all.
        for caller in [own, other, root] { _ = await caller.ask("session/open") }
        var counts: [Int] = []
        for caller in [own, other, root] {
          counts.append(await caller.ask("status")["sessions"]?.elements.count ?? -1)
        }
        #expect(counts == [1, 1, 3])
        for caller in [own, other, root] { caller.close() }
        await DaemonScene.until { scene.daemon.peers.isEmpty }
      }
    }
  }

  /// Whether such a file is read as a configuration, and as a secret.
  private static func reads(_ path: String) -> (configuration: Bool, secret: Bool) {
    (
      (try? ConfigurationFile(.given(path))) != nil, (try? SourceFile.contents(path)) != nil
    )
  }

  @Test func aFileIsOnesOwnOrRoots() async {
    await #expect(processExitsWith: .success) {
      guard getuid() == 0 else { return }
      let folder = try TemporaryFolder()
      let path = try folder.write("{}", to: "c.json", mode: 0o600)
      // Root reads files of others, and must not use them.
      chown(path, Self.other, 0)
      #expect(Self.reads(path) == (false, false))
      chown(path, 0, 0)
      #expect(Self.reads(path) == (true, true))
      chmod(folder.path, 0o711)
      chown(path, Self.own, 0)
      try #require(seteuid(Self.own) == 0)
      #expect(Self.reads(path) == (true, true))
      seteuid(0)
      chown(path, 0, 0)
      chmod(path, 0o644)
      try #require(seteuid(Self.own) == 0)
      // That others may read it is no reason against a configuration.
      #expect(Self.reads(path) == (true, false))
      seteuid(0)
    }
  }

  /// A pipe that another uid has made cannot be opened again: what is written to it goes through one of the
  /// daemon's.
  @Test func aPipeOfAnotherUIDIsWritten() async {
    await #expect(processExitsWith: .success) {
      guard getuid() == 0 else { return }
      LoopThread.started
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      fchmod(ends[1], 0o600)
      try #require(seteuid(Self.own) == 0)
      let count = try await Self.write(100_000, from: ends[0], to: ends[1])
      seteuid(0)
      #expect(count == 100_000)
    }
  }

  @ReactorActor private static func write(_ size: Int, from end: Int32, to other: Int32) async throws -> Int {
    let descriptor = try CallerDescriptor(other, of: 1, for: .writing)
    let output = DescriptorOutput(
      descriptor, charge: MemoryCharge(MemoryBudget(limit: 1 << 22), uid: 1))
    _ = [UInt8](repeating: 1, count: size).withUnsafeBytes { output.write($0, mayWait: true) }
    var isDone = false
    output.finish { _ in isDone = true }
    var count = 0
    var room = [UInt8](repeating: 0, count: 65536)
    await DaemonScene.until {
      count += max(0, read(end, &room, room.count))
      return isDone
    }
    while case let more = read(end, &room, room.count), more > 0 { count += more }
    return count
  }
}
