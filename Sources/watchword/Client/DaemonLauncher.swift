internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// Connects to the daemon at a path, and starts one there when none runs and the path is the user's own
/// place.
struct DaemonLauncher {
  /// The daemon prints little when it starts; more is cut off.
  private static let longestOutput = 16 << 10
  /// A daemon that prints nothing for this long has failed.
  private static let patienceMilliseconds: Int32 = 15_000
  /// When another starter holds the lock, its daemon will listen shortly.
  private static let rivalPatienceMilliseconds = 5_000

  /// A daemon that was started on demand ends when it is unused: no user would think of ending it, and one
  /// whose socket was removed with its directory cannot be told to. Another one starts quickly.
  private static let idleSeconds = 3600

  private let path: String
  private let isStandard: Bool

  /// - Parameter isStandard: whether the path is the user's own place: a daemon elsewhere would be one more,
  ///   which a mistyped name or a removed socket has asked for and no person has.
  init(path: String, isStandard: Bool) {
    self.path = path
    self.isStandard = isStandard
  }

  /// Returns a connection; starts a daemon if none runs, `mayStart`, and the path is the user's own place.
  func connect(mayStart: Bool) throws(ClientError) -> DaemonConnection {
    if let connection = try DaemonConnection(path: path) { return connection }
    let reason = errno
    // Only these two errors mean that no process listens; a new daemon would meet any other one as well.
    guard reason == ENOENT || reason == ECONNREFUSED else {
      throw .noDaemon(path: path, reason: .system(errno: reason))
    }
    guard mayStart else { throw .noDaemon(path: path, reason: .startingForbidden) }
    guard isStandard else { throw .noDaemon(path: path, reason: .otherPlace) }
    let output = try start()
    // Several starters race for the daemon's lock file: the losers connect to the winner's daemon.
    for _ in 0..<(isReady(output) ? 1 : Self.rivalPatienceMilliseconds / 10) {
      if let connection = try DaemonConnection(path: path) { return connection }
      guard saysLocked(output) else { break }
      usleep(10_000)
    }
    throw .noDaemon(path: path, reason: .startFailed(output: output))
  }

  /// Runs `watchwordd` and returns what it printed until it was ready or ended.
  private func start() throws(ClientError) -> String {
    guard let program = Self.findProgram() else { throw .noDaemon(path: path, reason: .programNotFound) }
    guard let pipe = Pipe() else { throw .noDaemon(path: path, reason: .system(errno: errno)) }
    let arguments = ["--socket", path, "--log-file", logPath, "--idle-exit", "\(Self.idleSeconds)"]
    guard let pid = ChildProcess.start(program, arguments, output: pipe.writing, isDetached: true) else {
      throw .noDaemon(path: path, reason: .system(errno: errno))
    }
    let reading = pipe.keepReading()
    let output = Self.collect(from: reading.number, until: isReady)
    // If it ended, it is reaped; if it runs, it continues without us.
    _ = waitpid(pid, nil, WNOHANG)
    return output
  }

  /// `watchwordd.log` in the socket's directory, which only the user can read.
  private var logPath: String {
    let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return directory + "watchwordd.log"
  }

  /// What a daemon prints, to the end of the output or until this holds.
  static func collect(from descriptor: Int32, until isEnough: (String) -> Bool) -> String {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while output.count < longestOutput {
      guard caller_wait(descriptor, -1, patienceMilliseconds, nil) > 0 else { break }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk.prefix(count)
      if isEnough(String(decoding: output, as: UTF8.self)) { break }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func isReady(_ output: String) -> Bool {
    output.split(separator: "\n").contains { $0.hasPrefix("listening on ") }
  }

  private func saysLocked(_ output: String) -> Bool {
    let words = output.asciiLowercased
    return words.containsBytes(of: "another daemon")
  }

  /// The daemon that was installed with this program, else the first one in `PATH`.
  static func findProgram() -> String? {
    let search = Environment.value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    // An empty or relative entry would run a program in the current directory.
    let folders = search.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    return ([ProgramPath.folder].compactMap(\.self) + folders).lazy.map { $0 + "/watchwordd" }.first {
      access($0, X_OK) == 0
    }
  }
}

/// Starts another program, which inherits no descriptor of ours except the one that it prints to.
enum ChildProcess {
  /// The path and the arguments are ``OctetText``.
  ///
  /// The pid; nil with `errno` set. A detached one outlives us: it leads a session of its own and says its
  /// errors to `output` as well.
  static func start(
    _ path: String, _ arguments: [String], output: borrowing Descriptor, isDetached: Bool
  ) -> Int32? {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup(OctetText.cString($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    let pid = caller_spawn(OctetText.cString(path), pointers, output.number, isDetached ? 1 : 0)
    return pid < 0 ? nil : pid
  }
}

enum NoDaemonReason: Sendable {
  case startingForbidden
  /// `--socket` or `WATCHWORD_SOCKET` names another place than the user's own.
  case otherPlace
  /// No `watchwordd` beside this program or in `PATH`.
  case programNotFound
  /// It was started and ended before it was ready; with its output.
  case startFailed(output: String)
  case system(errno: Int32)

  /// Whether nothing was tried.
  var forbidsStarting: Bool {
    switch self {
    case .startingForbidden, .otherPlace: true
    case .programNotFound, .startFailed, .system: false
    }
  }
}

/// Has the daemon's program check a configuration file: what it says of one is what a start would say.
enum ConfigurationChecker {
  /// What is wrong in the file, a line each, as the program prints it; nil when it cannot be run.
  ///
  /// - Parameter path: nil: the file of this account.
  static func faults(in path: String?) -> [String]? {
    guard let program = DaemonLauncher.findProgram(), let pipe = Pipe() else { return nil }
    let arguments = ["--check-configuration"] + (path.map { ["--configuration", $0] } ?? [])
    guard let pid = ChildProcess.start(program, arguments, output: pipe.writing, isDetached: true) else {
      return nil
    }
    let reading = pipe.keepReading()
    let output = DaemonLauncher.collect(from: reading.number) { _ in false }
    // It has ended, or says nothing for too long.
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
    let prefix = "watchwordd: "
    let faults = output.split(separator: "\n").filter { $0.hasPrefix(prefix) }
    return faults.map { String($0.dropFirst(prefix.count)) }
  }
}
