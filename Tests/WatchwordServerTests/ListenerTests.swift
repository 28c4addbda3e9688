import CLinux
import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct ListenerTests {
  init() { LoopThread.started }

  private static func directory() throws -> String {
    var template = Array("/tmp/watchword-listener-XXXXXX".utf8CString)
    return try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  /// A daemon that ends because it is idle asks for this right before: epoll may not have told it yet.
  @Test @ReactorActor func whoWaitsIsAcceptedAtOnce() throws {
    let directory = try Self.directory()
    defer { rmdir(directory) }
    let path = directory + "/s"
    let listener = try Listener(path: path)
    defer { listener.remove() }
    var accepted: [Int32] = []
    defer { for descriptor in accepted { close(descriptor) } }
    try listener.begin(countingIn: Counters()) { accepted.append($0) }
    let waiting = clinux_unix_connect(path)
    defer { close(waiting) }
    try #require(waiting >= 0)
    listener.acceptWaiting()
    #expect(accepted.count == 1)
  }

  /// Who finds no descriptor waits for one, and is counted.
  @Test func whoFindsNoDescriptorIsAcceptedLater() async {
    await #expect(processExitsWith: .success) {
      LoopThread.started
      try await Self.acceptWithoutDescriptors()
    }
  }

  @ReactorActor private static func acceptWithoutDescriptors() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let listener = try Listener(path: path)
    let counters = Counters()
    var accepted: [Int32] = []
    try listener.begin(countingIn: counters) { accepted.append($0) }
    let waiting = clinux_unix_connect(path)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    getrlimit(kind, &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = 1
    setrlimit(kind, &limit)
    listener.acceptWaiting()
    #expect(accepted.isEmpty && counters.acceptsDeferred == 1)
    limit.rlim_cur = before
    setrlimit(kind, &limit)
    await DaemonScene.until { !accepted.isEmpty }
    #expect(counters.acceptsDeferred == 1)
    listener.remove()
    for descriptor in accepted + [waiting] { close(descriptor) }
  }

  /// Who is told that nobody accepts it any more may start the next daemon there.
  @Test @ReactorActor func thePlaceIsFreeOnceTheOthersAreTold() throws {
    let directory = try Self.directory()
    defer { rmdir(directory) }
    let path = directory + "/s"
    let listener = try Listener(path: path)
    listener.remove()
    try Listener(path: path).remove()
  }

  /// Nil when it listens; it is removed at once.
  @ReactorActor private static func fault(
    _ path: String, isHostWide: Bool = false, isRestricted: Bool = false
  ) -> String? {
    do throws(ListenerFault) {
      try Listener(path: path, isHostWide: isHostWide, isRestricted: isRestricted).remove()
      return nil
    } catch {
      return error.text
    }
  }

  @Test @ReactorActor func onlyTheOwnerReachesTheSocket() throws {
    let folder = try TemporaryFolder()
    var listener = try Listener(path: folder.path(of: "s"))
    #expect(folder.mode(of: "s") == 0o600 && folder.mode(of: "s.lock") == 0o600)
    listener.remove()
    #expect(folder.names == [])
    listener = try Listener(path: folder.path(of: "s"), isHostWide: true)
    #expect(folder.mode(of: "s") == 0o666)
    listener.remove()
  }

  @Test @ReactorActor func aPlaceThatIsTakenIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let first = try Listener(path: path)
    #expect(Self.fault(path) == "\(path).lock: another daemon holds the lock")
    unlink(path + ".lock")
    #expect(Self.fault(path) == "\(path): another daemon listens there")
    first.remove()
    try folder.write("", to: "s")
    #expect(Self.fault(path) == "\(path): exists and is not a socket")
    #expect(folder.names == ["s", "s.lock"])
    unlink(path)
    mkdir(path + ".lock", 0o700)
    unlink(path + ".lock")
    rmdir(path + ".lock")
    symlink("/dev/null", path + ".lock")
    #expect(Self.fault(path)?.hasPrefix("\(path).lock: ") == true)
  }

  @Test @ReactorActor func aSocketThatNobodyServesIsReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    close(clinux_unix_listen(path, 1))
    #expect(folder.names == ["s"])
    #expect(Self.fault(path) == nil && folder.names == [])
  }

  /// restricted.md 2.6.17: a client may not start another daemon there.
  @Test @ReactorActor func thePlaceOfARestrictedSocketIsMarked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    #expect(Self.fault(path, isRestricted: true) == nil)
    #expect(folder.names == ["s.restricted"] && folder.mode(of: "s.restricted") == 0o600)
    #expect(
      Self.fault(path) == "\(path): is for a restricted socket, as \(path).restricted says")
    #expect(Self.fault(path, isRestricted: true) == nil)
  }

  @Test @ReactorActor func theDirectoryIsPrivate() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "d/s")
    #expect(Self.fault(path) == nil && folder.mode(of: "d") == 0o700)
    chmod(folder.path(of: "d"), 0o755)
    #expect(Self.fault(path) == "\(folder.path)/d: is open to others; its mode must be 0700")
    #expect(Self.fault(path, isHostWide: true) == nil)
    #expect(Self.fault("s") == "s: needs a directory")
  }

  @Test @ReactorActor func aSocketThatIsGivenAwayStays() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let first = try Listener(path: path)
    var accepted: [Int32] = []
    try first.begin(countingIn: Counters()) { accepted.append($0) }
    let given = first.giveAway()
    #expect(given.path == path && given.descriptors.count == 2 && !given.isActivated && !given.isHostWide)
    let waiting = (0..<3).map { _ in clinux_unix_connect(path) }
    for _ in 0..<3 { await DaemonScene.turn() }
    #expect(accepted.isEmpty)
    var options = DaemonOptions(socketPath: path)
    let second = try Listener(options, given)
    try second.begin(countingIn: Counters()) { accepted.append($0) }
    await DaemonScene.until { accepted.count == 3 }
    for descriptor in accepted + waiting { close(descriptor) }
    // Another mode needs another socket.
    options.settings.access = .host
    let third = try Listener(options, second.giveAway())
    #expect(folder.mode(of: "s") == 0o666)
    third.remove()
    #expect(folder.names == [])
  }

  @Test @ReactorActor func systemdsSocketStays() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let socket = clinux_unix_listen(path, 1)
    let given = Listener.Given(path: path, isActivated: true, isHostWide: false, descriptors: [socket])
    var options = DaemonOptions(socketPath: path)
    options.settings.access = .host
    try Listener(options, given).remove()
    #expect(folder.names == ["s"])
  }

  /// sd_listen_fds(3): one socket, for this process, and no longer for the programs that it starts.
  @Test func onlyTheSocketForThisProcessIsTaken() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let socket = clinux_unix_listen(folder.path(of: "s"), 1)
      // A number that no library of the process has taken before.
      let place: Int32 = 100
      try #require(dup2(socket, place) == place)
      _ = fcntl(place, F_SETFL, 0)
      setenv("LISTEN_FDS", "1", 1)
      setenv("LISTEN_PID", "\(getppid())", 1)
      #expect(SystemdActivation.descriptor(from: place) == nil)
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", "2", 1)
      #expect(SystemdActivation.descriptor(from: place) == nil)
      setenv("LISTEN_FDS", "1", 1)
      LoopThread.started
      let given = try await Self.given(folder.path(of: "other"), place)
      #expect(given.isActivated && !given.isHostWide)
      #expect(given.descriptors == [place] && folder.names == ["s"])
      #expect(fcntl(place, F_GETFD) & FD_CLOEXEC != 0 && fcntl(place, F_GETFL) & O_NONBLOCK != 0)
      #expect(getenv("LISTEN_FDS") == nil && getenv("LISTEN_PID") == nil)
      // Without the socket there is none.
      close(place)
      setenv("LISTEN_FDS", "1", 1)
      setenv("LISTEN_PID", "\(getpid())", 1)
      #expect(SystemdActivation.descriptor(from: place) == nil)
    }
  }

  /// What a daemon with a socket at this place would give to the next one.
  @ReactorActor private static func given(_ path: String, _ place: Int32) throws -> Listener.Given {
    try Listener(DaemonOptions(socketPath: path), activated: SystemdActivation.descriptor(from: place))
      .giveAway()
  }
}
