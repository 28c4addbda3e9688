import CLinux
import Glibc
import Logging
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// A daemon without a socket, whose sessions have fake engines, and the callers that are connected to it.
@ReactorActor
final class DaemonScene {
  let daemon: Daemon
  /// Of the sessions, in the order in which they were made.
  private(set) var engines: [FakeEngine] = []
  /// The settings of each engine.
  private(set) var settings: [EngineConfiguration] = []
  /// Of the daemon's own requests, to endpoints that the administrator names.
  private(set) var endpointEngines: [(engine: FakeEngine, settings: EngineConfiguration)] = []
  /// How often the process would have ended.
  private(set) var endings = 0
  var hasEnded: Bool { endings > 0 }
  /// Takes each of these requests.
  var onEndpointRequest: (FakeExchange) -> Void = { _ in }
  private var callers: [Caller] = []
  private let lines = Locked<[String]>([])
  /// `message member=value…` of each line of the log.
  var log: [String] { lines.withLock(\.self) }

  private init(_ change: (inout DaemonOptions) -> Void) {
    var options = DaemonOptions(socketPath: "/nowhere/watchword.sock")
    options.settings.vault.secretService = false
    change(&options)
    daemon = Daemon(options, logger: Logger(label: "test") { [lines] _ in LineLog(lines: lines) })
    daemon.endProcess = { [weak self] in self?.endings += 1 }
    daemon.registry.engineMaker = { [unowned self] settings, memory, cookies in
      let engine = FakeEngine(cookies: cookies)
      guard memory != nil else {
        engine.onStart = { [unowned self] in onEndpointRequest($0) }
        endpointEngines.append((engine, settings))
        return engine
      }
      engine.onStart = { [unowned self] in exchange = $0 }
      engines.append(engine)
      self.settings.append(settings)
      return engine
    }
  }

  /// Runs `body` with a daemon, and ends that with everything that is connected to it.
  static func run(
    _ change: (inout DaemonOptions) -> Void = { _ in }, _ body: (DaemonScene) async throws -> Void
  ) async throws {
    weak var daemon: Daemon?
    do {
      let scene = DaemonScene(change)
      daemon = scene.daemon
      do {
        try await body(scene)
      } catch {
        await scene.end()
        throw error
      }
      await scene.end()
    }
    // Nothing of it is left for the next test.
    await until { daemon == nil }
  }

  /// One with a caller.
  static func call(
    _ change: (inout DaemonOptions) -> Void = { _ in }, _ body: (Caller, DaemonScene) async throws -> Void
  ) async throws {
    try await run(change) { scene in try await body(try scene.connect(), scene) }
  }

  /// One with a caller, which keeps its state in the folder.
  static func call(
    in folder: TemporaryFolder, _ body: (Caller, DaemonScene) async throws -> Void
  ) async throws {
    try await call({ $0.statePlace = folder.statePlace }, body)
  }

  /// What was said of the certificate authorities of users when they were read.
  private(set) var complaints: [String] = []

  /// Reads the vaults and roots that there are, as a daemon does at its start.
  func open() {
    daemon.vaults.open()
    daemon.roots.open(
      changed: { [unowned self] in daemon.changes(of: $0).add(.roots) },
      complain: { [unowned self] in complaints.append($0) })
  }

  /// A caller with every right of its uid, which is that of the test.
  func connect() throws -> Caller {
    var ends: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    let process = try #require(PeerProcess(of: ends[1]))
    daemon.admit(ends[1], of: process)
    let peer = daemon.peers.values.max { $0.identifier.number < $1.identifier.number }
    let caller = try Caller(ends[0], try #require(peer))
    callers.append(caller)
    return caller
  }

  /// One at a listening socket that the daemon serves, its connection with this number.
  func connect(to path: String, as number: UInt64) async throws -> Caller {
    let descriptor = clinux_unix_connect(path)
    try #require(descriptor >= 0)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let identifier = PeerIdentifier(number)
    await Self.until { daemon.peers[identifier] != nil }
    let caller = try Caller(descriptor, try #require(daemon.peers[identifier]))
    callers.append(caller)
    return caller
  }

  /// The exchange that was started last.
  private(set) var exchange: FakeExchange?

  /// Lets everything happen that is due.
  static func turn(after seconds: Double = 0) async {
    await withCheckedContinuation { continuation in
      _ = EventLoop.shared.schedule(after: seconds) { continuation.resume() }
    }
  }

  /// Waits until something has happened, which may be work of another thread.
  static func until(_ hasHappened: () -> Bool) async {
    for count in 0..<20_000 {
      if hasHappened() { return }
      await turn(after: count < 1000 ? 0 : 0.001)
    }
    #expect(hasHappened())
  }

  private func end() async {
    for caller in callers { caller.close() }
    await Self.until { daemon.peers.isEmpty }
    for session in daemon.registry.all { session.invalidate(.shutdown) }
    daemon.vaults.close()
    await daemon.vaults.released()
    for _ in 0..<3 { await Self.turn() }
    daemon.idleExit.cancel()
  }
}

/// A log that has a level and keeps its lines.
private struct LineLog: LogHandler {
  let lines: Locked<[String]>
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let members = event.metadata?.sorted { $0.key < $1.key }.map { "\($0)=\($1)" } ?? []
    lines.withLock { $0.append(([event.message.description] + members).joined(separator: " ")) }
  }
}
