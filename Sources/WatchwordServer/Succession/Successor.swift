internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordOptions
internal import WatchwordReactor
internal import WatchwordVault

/// The daemon that follows this one: it is started, says that it can serve, and takes over the sockets and
/// the state.
///
/// Until it has said so nothing changes here. All of it goes over a pair of sockets, whose pages never leave
/// memory.
@ReactorActor
final class Successor {
  enum SuccessionFault: Error {
    case notStarted(String)
    /// It ended, or was silent for too long.
    case notReady
    /// In its own words.
    case refused(String)
  }

  /// To read its configuration.
  private static let readySeconds = 10.0
  /// Of each write, while it reads, and of its word that it has read everything.
  private static let takeSeconds = 10

  let process: pid_t
  private let connection: Int32
  private var watch: Watch?
  private var timer: LoopTimer?

  /// Starts the program that this process runs, or the one that an upgrade has put in its place.
  static func start() throws(SuccessionFault) -> Successor {
    guard let program = ProgramPath.own else { throw .notStarted("/proc is not there") }
    var arguments: [UnsafeMutablePointer<CChar>?] = []
    defer { for argument in arguments { free(argument) } }
    while let argument = clinux_argument(Int32(arguments.count)) { arguments.append(strdup(argument)) }
    arguments.append(nil)
    var mark = Array("\(Predecessor.variable)=\(getpid())".utf8CString)
    var connection: Int32 = -1
    let process = clinux_spawn_successor(program, &arguments, &mark, &connection)
    guard process > 0 else { throw .notStarted("\(program): \(String(cString: strerror(errno)))") }
    return Successor(process, connection)
  }

  /// - Parameter connection: this side of the pair of sockets.
  init(_ process: pid_t, _ connection: Int32) {
    self.process = process
    self.connection = connection
  }

  isolated deinit { close(connection) }

  /// Returns once it can serve.
  func becomeReady() async throws(SuccessionFault) {
    let fault: SuccessionFault? = await completion { then in
      let end: @ReactorActor (SuccessionFault?) -> Void = { [self] fault in
        timer?.cancel()
        watch?.cancel()
        (timer, watch) = (nil, nil)
        then(fault)
      }
      timer = EventLoop.shared.schedule(after: Successor.readySeconds) { end(.notReady) }
      watch = try? EventLoop.shared.watch(connection, for: .readable) { [connection] _ in
        end(Predecessor.fault(in: connection))
      }
      if watch == nil { end(.notReady) }
    }
    guard let fault else { return }
    discard()
    throw fault
  }

  /// Whether it has ended, or has been killed.
  var hasEnded: Bool {
    var watched = pollfd(fd: connection, events: 0, revents: 0)
    _ = poll(&watched, 1, 0)
    return watched.revents & Int16(POLLHUP) != 0
  }

  /// Ends it, unless it has ended. It also ends by itself when the connection is closed before it was given
  /// anything.
  func discard() {
    if !hasEnded { kill(process, SIGKILL) }
  }

  /// Gives it everything. This process serves no more: it waits until the other one has read.
  ///
  /// - Returns: How many parts were too large to be sent; nil when it has not taken everything.
  func handOver(_ listeners: [Listener.Given], _ state: DaemonState, _ clocks: DaemonState.Clocks) -> Int? {
    var limit = timeval(tv_sec: Successor.takeSeconds, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    for listener in listeners {
      var mark = Predecessor.socketMark
      let descriptors = listener.descriptors
      guard clinux_send(connection, &mark, 1, descriptors, Int32(descriptors.count), true) == 1 else {
        return nil
      }
    }
    var mark = Predecessor.stateMark
    guard clinux_send(connection, &mark, 1, nil, 0, true) == 1 else { return nil }
    var sending = StateSending { [connection] in Successor.send($0, to: connection) }
    for listener in listeners {
      sending.part("listener") { writer in
        writer.key("path")
        writer.string(listener.path)
        writer.key("isActivated")
        writer.bool(listener.isActivated)
        writer.key("isHostWide")
        writer.bool(listener.isHostWide)
      }
    }
    state.send(clocks, by: &sending)
    sending.part("end")
    return sending.isWhole && hasTaken ? sending.skipped : nil
  }

  /// Waits until it says so. One that takes too long to say it is believed while it runs.
  private var hasTaken: Bool {
    var mark: UInt8 = 0
    while mark != Predecessor.takenMark {
      let count = SystemCall.uninterrupted { recv(connection, &mark, 1, 0) }
      if count < 1 { return !hasEnded }
    }
    return true
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, to connection: Int32) -> Bool {
    SystemCall.drain(bytes) { clinux_send(connection, $0.baseAddress, $0.count, nil, 0, true) }
  }
}
