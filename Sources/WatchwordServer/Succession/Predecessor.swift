internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault

/// The daemon that has started this one to follow it, on the other end of a pair of sockets.
package struct Predecessor: Sendable {
  /// Its process id is in the environment.
  static let variable = "WATCHWORD_PREDECESSOR"
  static let socketMark = UInt8(ascii: "L")
  static let stateMark = UInt8(ascii: "S")
  private static let readyMark = UInt8(ascii: "R")
  private static let faultMark = UInt8(ascii: "F")
  private static let maximumFaultBytes = 4096

  private let connection: Int32

  /// Nil when this daemon was started by somebody else. Call before there are threads, which may read the environment.
  package static func ofProcess() -> Predecessor? {
    guard let text = getenv(variable) else { return nil }
    let process = pid_t(String(cString: text))
    let place = Int32(CLINUX_PREDECESSOR)
    unsetenv(variable)
    var (pid, uid, gid) = (pid_t(0), uid_t(0), gid_t(0))
    guard let process, process == getppid(),
      clinux_peer_credentials(place, &pid, &uid, &gid), pid == process, fcntl(place, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    return Predecessor(connection: place)
  }

  /// Says why this daemon cannot serve: the other one goes on.
  package func refuse(because text: String) {
    say(
      Predecessor.faultMark, String(decoding: text.utf8.prefix(Predecessor.maximumFaultBytes), as: UTF8.self))
  }

  private func say(_ mark: UInt8, _ text: String) {
    let bytes = [mark] + Array(text.utf8)
    _ = clinux_send(connection, bytes, bytes.count, nil, 0, true)
  }

  /// What a successor has said, which is there to be read; nil when it can serve.
  static func fault(in connection: Int32) -> Successor.Fault? {
    var bytes = [UInt8](repeating: 0, count: 1 + maximumFaultBytes)
    let count = recv(connection, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return .notReady }
    switch bytes[0] {
    case readyMark: return nil
    case faultMark: return .refused(String(decoding: bytes[1..<count], as: UTF8.self))
    default: return .notReady
    }
  }

  /// Says that this daemon can serve, and waits until the other one has ended.
  ///
  /// - Returns: What it gave; nil when it goes on, or has ended without giving anything.
  package func inheritance() -> Inheritance? {
    // Since before this process was protected from it: what comes would be read.
    guard !clinux_is_traced() else {
      refuse(because: "another process traces it")
      return nil
    }
    say(Predecessor.readyMark, "")
    defer { close(connection) }
    guard let descriptors = sockets() else { return nil }
    let inheritance = Inheritance(descriptors)
    while let part = part() {
      if part.kind == "end" {
        inheritance.isWhole = true
        break
      }
      inheritance.take(part, Predecessor.clocks)
    }
    waitForEnd()
    return inheritance
  }

  /// It has left its files when it has ended.
  private func waitForEnd() {
    var rest: UInt8 = 0
    while true {
      let count = recv(connection, &rest, 1, 0)
      guard count > 0 || count < 0 && errno == EINTR else { return }
    }
  }

  static var clocks: DaemonState.Clocks {
    DaemonState.Clocks(now: EventLoop.monotonicSeconds(), wallClock: Clock.wallSeconds())
  }

  /// Descriptors of listening sockets, each with that of its lock where it has one.
  private func sockets() -> [[Int32]]? {
    var sockets: [[Int32]] = []
    var room = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    while true {
      var mark: UInt8 = 0
      var count: Int32 = 0
      var (isTruncated, isIncomplete) = (false, false)
      let received = clinux_receive(connection, &mark, 1, &room, &count, &isTruncated, &isIncomplete, true)
      if received < 0 && errno == EINTR { continue }
      guard received == 1 else { return nil }
      guard mark == Predecessor.socketMark else { return mark == Predecessor.stateMark ? sockets : nil }
      sockets.append(Array(room.prefix(Int(count))))
    }
  }

  private func part() -> StatePart? {
    let head = octets(StatePart.headBytes)
    guard let lengths = head.flatMap({ $0.withBytes(StatePart.lengths) }), let text = octets(lengths.text),
      let octets = octets(lengths.octets)
    else { return nil }
    return StatePart(text: text, octets: octets) ?? StatePart.unknown
  }

  /// Nil when the other side ends before.
  private func octets(_ count: Int) -> Secret? {
    var isWhole = true
    let octets = Secret(count: count) { target in
      var filled = 0
      while filled < count {
        let received = recv(connection, target.baseAddress?.advanced(by: filled), count - filled, 0)
        if received < 0 && errno == EINTR { continue }
        guard received > 0 else {
          isWhole = false
          return
        }
        filled += received
      }
    }
    return isWhole ? octets : nil
  }
}

/// What the previous daemon gave to this one.
package final class Inheritance: @unchecked Sendable {
  private let descriptors: [[Int32]]
  private var listeners: [Listener.Given] = []
  private var state = DaemonState()
  /// Whether all of it has come.
  fileprivate(set) var isWhole = false
  /// Parts that are not understood.
  private(set) var unread = 0

  fileprivate init(_ descriptors: [[Int32]]) { self.descriptors = descriptors }

  fileprivate func take(_ part: StatePart, _ clocks: DaemonState.Clocks) {
    if part.kind == "listener", listeners.count < descriptors.count,
      let listener = Listener.Given(part, descriptors[listeners.count])
    {
      listeners.append(listener)
    } else if !state.take(part, clocks) {
      unread += 1
    }
  }

  /// Once: the secrets in it are for the sessions only, which wipe them.
  func takeState() -> DaemonState {
    defer { state = DaemonState() }
    return state
  }

  /// The socket at this place, once.
  func takeListener(at path: String) -> Listener.Given? {
    listeners.firstIndex { $0.path == path }.map { listeners.remove(at: $0) }
  }

  /// The rest of the sockets: this daemon's configuration does not name them.
  func takeListeners() -> [Listener.Given] {
    defer { listeners = [] }
    return listeners
  }
}
