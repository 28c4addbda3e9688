internal import CLinux
internal import Glibc
internal import WatchwordReactor

/// The listening socket: created in a private directory under a lock, or passed by systemd.
@ReactorActor
final class Listener {
  let path: String
  private let descriptor: Int32
  private let isActivated: Bool
  private let isHostWide: Bool
  /// Nil for a socket of systemd's.
  private let lock: Int32?
  private var watch: Watch?
  private var accept: @ReactorActor (Int32) -> Void = { DescriptorCloser.close($0) }
  private var counters: Counters?
  /// Runs while accepting is paused because the process or the host has run out of descriptors.
  private var pause: LoopTimer?

  /// Length of the pause: descriptors are freed in many places, and ten attempts a second cost nothing.
  private static let pauseSeconds = 0.1

  /// Of accepting in one turn.
  private static let acceptSeconds = 0.002

  /// Connections that wait to be accepted; 50 processes starting at once stay well below.
  private static let backlog: Int32 = 512

  /// A socket on its way from one daemon to the next, with its descriptor and that of its lock, if it has
  /// one.
  struct Given: Sendable {
    let path: String
    let isActivated: Bool
    let isHostWide: Bool
    let descriptors: [Int32]
  }

  /// The daemon's own.
  ///
  /// - Parameters:
  ///   - given: that of the previous daemon.
  ///   - activated: what systemd has passed.
  convenience init(
    _ options: DaemonOptions, _ given: Given? = nil,
    activated: @autoclosure () -> Int32? = SystemdActivation.descriptor()
  ) throws(ListenerFault) {
    if let given, given.isActivated || given.isHostWide == options.isHostWide {
      self.init(given)
    } else if let descriptor = activated() {
      self.init(
        Given(path: options.socketPath, isActivated: true, isHostWide: false, descriptors: [descriptor]))
    } else {
      // Its mode is another one.
      if let given { Listener(given).remove() }
      try self.init(path: options.socketPath, isHostWide: options.isHostWide)
    }
  }

  init(_ given: Given) {
    path = given.path
    isActivated = given.isActivated
    isHostWide = given.isHostWide
    descriptor = given.descriptors.first ?? -1
    lock = given.descriptors.dropFirst().first
  }

  /// - Parameter isRestricted: whether it is one of the administrator's restricted sockets.
  init(path: String, isHostWide: Bool = false, isRestricted: Bool = false) throws(ListenerFault) {
    self.path = path
    self.isHostWide = isHostWide
    isActivated = false
    try SocketDirectory.prepare(of: path, isHostWide: isHostWide)
    try Listener.checkMark(path, isRestricted: isRestricted)
    lock = try Listener.takeLock(path + ".lock")
    try Listener.removeStale(path)
    let previous = umask(isHostWide ? 0o111 : 0o177)
    descriptor = clinux_unix_listen(path, Listener.backlog)
    umask(previous)
    guard descriptor >= 0 else { throw .system("\(path): \(String(cString: strerror(errno)))") }
  }

  /// - Parameters:
  ///   - counters: of what had to wait, because no descriptor or memory was left for it.
  ///   - accept: takes over one connection.
  func begin(
    countingIn counters: Counters, _ accept: @escaping @ReactorActor (Int32) -> Void
  ) throws(ReactorError) {
    self.accept = accept
    self.counters = counters
    watch = try EventLoop.shared.watch(descriptor, for: .readable) { [weak self] _ in self?.acceptWaiting() }
  }

  /// Takes over some of the connections that wait; the watch reports the others again.
  func acceptWaiting() {
    // The account of a connection is not known before: no account's turn pays for accepting.
    let end = EventLoop.monotonicSeconds() + Listener.acceptSeconds
    repeat {
      let connection = clinux_accept(descriptor)
      if connection < 0 {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
        counters?.acceptsDeferred += 1
        return rest()
      }
      accept(connection)
    } while EventLoop.monotonicSeconds() < end
  }

  /// Stops accepting for a while. The connection stays readable, so that the loop would spin if it watched.
  private func rest() {
    watch?.interest = []
    pause = EventLoop.shared.schedule(after: Listener.pauseSeconds) { [weak self] in
      self?.watch?.interest = .readable
    }
  }

  /// Stops accepting for the next daemon: who connects meanwhile waits for that.
  func giveAway() -> Given {
    pause?.cancel()
    watch?.cancel()
    watch = nil
    return Given(
      path: path, isActivated: isActivated, isHostWide: isHostWide,
      descriptors: [descriptor] + [lock].compactMap(\.self))
  }

  /// Tells systemd which process serves from now on.
  static func announce(successor: pid_t) { SystemdActivation.notify("MAINPID=\(successor)") }

  /// Prints one line on standard output, and notifies systemd.
  func announceReady() {
    let line = Array("listening on \(path)\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
    SystemdActivation.notify("READY=1")
  }

  /// Stops accepting, and removes the socket unless it is systemd's.
  ///
  /// The place is free before those who still wait are told: they may start the next daemon at once.
  func remove() {
    pause?.cancel()
    watch?.cancel()
    watch = nil
    if !isActivated {
      unlink(path)
      unlink(path + ".lock")
      if let lock { Glibc.close(lock) }
    }
    Glibc.close(descriptor)
  }

  /// Marks the place of a restricted socket for good: when its daemon has ended, a client there may not start
  /// another one, which would have no restriction.
  private static func checkMark(_ path: String, isRestricted: Bool) throws(ListenerFault) {
    let mark = path + ".restricted"
    if isRestricted {
      let file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw .system("\(mark): \(String(cString: strerror(errno)))") }
      Glibc.close(file)
    } else if faccessat(AT_FDCWD, mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
      throw .inUse("\(path): is for a restricted socket, as \(mark) says")
    }
  }

  private static func takeLock(_ path: String) throws(ListenerFault) -> Int32 {
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .system("\(path): \(String(cString: strerror(errno)))") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(lock)
      throw .inUse("\(path): another daemon holds the lock")
    }
    // The previous holder may have removed the file between our open and our lock.
    var held = stat()
    var named = stat()
    guard fstat(lock, &held) == 0, lstat(path, &named) == 0, held.st_ino == named.st_ino else {
      Glibc.close(lock)
      throw .inUse("\(path): another daemon is starting or stopping")
    }
    return lock
  }

  /// Removes a socket without a listening process; any other file stays, and is an error.
  private static func removeStale(_ path: String) throws(ListenerFault) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFSOCK else {
      throw .inUse("\(path): exists and is not a socket")
    }
    let probe = clinux_unix_connect(path)
    guard probe < 0 else {
      Glibc.close(probe)
      throw .inUse("\(path): another daemon listens there")
    }
    guard errno == ECONNREFUSED else { throw .system("\(path): \(String(cString: strerror(errno)))") }
    guard unlink(path) == 0 else { throw .system("\(path): \(String(cString: strerror(errno)))") }
  }
}

/// Why the daemon cannot listen; each text is for a person.
package enum ListenerFault: Error, Sendable {
  /// The directory is a link, belongs to another user, or is open to others: refused, not repaired.
  case looseDirectory(String)
  /// Another daemon uses it.
  case inUse(String)
  case system(String)
  /// The loaded libcurl cannot be used.
  case unusableLibrary(String)

  package var text: String {
    switch self {
    case .looseDirectory(let text), .inUse(let text), .system(let text), .unusableLibrary(let text): text
    }
  }
}

/// The directory of the socket: ours, private, and not a link.
enum SocketDirectory {
  /// Creates the directory with its mode if it is missing, else checks it; never changes an existing one.
  ///
  /// A host-wide socket may lie in a directory of root that others can enter, but not write to.
  static func prepare(of socketPath: String, isHostWide: Bool) throws(ListenerFault) {
    let parts = socketPath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let directory = parts.count == 1 && parts.first == "" ? "/" : parts.joined(separator: "/")
    guard !directory.isEmpty else { throw .system("\(socketPath): needs a directory") }
    do throws(PrivateDirectory.DirectoryFault) {
      try PrivateDirectory.make(directory)
      var information = stat()
      guard lstat(directory, &information) == 0 else { throw .system(PrivateDirectory.reason(directory)) }
      try PrivateDirectory.check(information, directory, othersMayEnter: isHostWide)
    } catch {
      switch error {
      case .loose(let text): throw .looseDirectory(text)
      case .system(let text): throw .system(text)
      }
    }
  }
}

/// systemd's socket activation and readiness, without its library (sd_listen_fds(3), sd_notify(3)).
enum SystemdActivation {
  /// The listening socket that systemd has passed to this process; nil when there is none.
  ///
  /// - Parameter first: the first descriptor that systemd passes.
  static func descriptor(from first: Int32 = 3) -> Int32? {
    guard variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
      variable("LISTEN_FDS").flatMap({ Int32($0) }) == 1
    else { return nil }
    unsetenv("LISTEN_PID")
    unsetenv("LISTEN_FDS")
    unsetenv("LISTEN_FDNAMES")
    let flags = fcntl(first, F_GETFD)
    guard flags >= 0, fcntl(first, F_SETFD, flags | FD_CLOEXEC) == 0 else { return nil }
    let status = fcntl(first, F_GETFL)
    guard status >= 0, fcntl(first, F_SETFL, status | O_NONBLOCK) == 0 else { return nil }
    return first
  }

  static func notify(_ state: String) {
    guard let path = variable("NOTIFY_SOCKET") else { return }
    clinux_notify(path, state)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
