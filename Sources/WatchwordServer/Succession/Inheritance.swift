internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordVocabulary

/// What the previous daemon gave to this one.
///
/// `@unchecked Sendable`: one thread reads it, before the loop runs, and then the loop alone has it, on the
/// same thread.
package final class Inheritance: @unchecked Sendable {
  private let descriptors: [[Int32]]
  private var listeners: [Listener.Given] = []
  private var state = DaemonState()
  /// Whether all of it has come.
  fileprivate(set) var isWhole = false
  /// Parts that are not understood.
  private(set) var unread = 0

  fileprivate init(_ descriptors: [[Int32]]) { self.descriptors = descriptors }

  fileprivate func adopt(_ part: StatePart, _ clocks: DaemonState.Clocks) {
    if part.kind == "listener", listeners.count < descriptors.count,
      let listener = Listener.Given(part, descriptors[listeners.count])
    {
      listeners.append(listener)
    } else if !state.adopt(part, clocks) {
      unread += 1
    }
  }

  /// Leaves those sockets that the other one could not say more of: their places are free.
  fileprivate func closeUnnamed() {
    for descriptor in descriptors.dropFirst(listeners.count).joined() { close(descriptor) }
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

/// Reads what the previous daemon gives, blocking.
struct StateReading {
  private let connection: Int32

  init(_ connection: Int32) { self.connection = connection }

  /// Nil when it has ended without giving anything.
  func inheritance() -> Inheritance? {
    guard let descriptors = sockets() else { return nil }
    let inheritance = Inheritance(descriptors)
    while let part = part() {
      if part.kind == "end" {
        inheritance.isWhole = true
        var mark = Predecessor.takenMark
        _ = clinux_send(connection, &mark, 1, nil, 0, true)
        break
      }
      inheritance.adopt(part, Predecessor.clocks)
    }
    inheritance.closeUnnamed()
    waitForEnd()
    return inheritance
  }

  /// It has left its files when it has ended.
  private func waitForEnd() {
    var rest: UInt8 = 0
    while SystemCall.uninterrupted({ recv(connection, &rest, 1, 0) }) > 0 {}
  }

  /// Descriptors of listening sockets, each with that of its lock where it has one.
  private func sockets() -> [[Int32]]? {
    var sockets: [[Int32]] = []
    var room = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    while true {
      var mark: UInt8 = 0
      var arrived = clinux_arrived()
      let received = SystemCall.uninterrupted {
        clinux_receive(connection, &mark, 1, &room, &arrived, true)
      }
      guard received == 1 else { return nil }
      guard mark == Predecessor.socketMark else { return mark == Predecessor.stateMark ? sockets : nil }
      sockets.append(Array(room.prefix(Int(arrived.count))))
    }
  }

  private func part() -> StatePart? {
    let head = octets(StatePart.headBytes)
    guard let lengths = head.flatMap({ $0.withBytes(StatePart.lengths) }), let text = octets(lengths.text),
      let octets = octets(lengths.octets)
    else { return nil }
    return StatePart(text: text, octets: octets)
  }

  /// Nil when the other side ends before.
  private func octets(_ count: Int) -> Secret? {
    var filled: Int?
    let octets = Secret(count: count) { target in
      filled = SystemCall.fill(target) { rest, _ in recv(connection, rest.baseAddress, rest.count, 0) }
    }
    return filled == count ? octets : nil
  }
}

extension Listener.Given {
  /// - Parameter descriptors: that of the socket, and that of its lock where it has one.
  init?(_ part: StatePart, _ descriptors: [Int32]) {
    guard let path = part["path"]?.text, let isActivated = part["isActivated"]?.bool,
      let isHostWide = part["isHostWide"]?.bool, !descriptors.isEmpty
    else { return nil }
    self.init(path: path, isActivated: isActivated, isHostWide: isHostWide, descriptors: descriptors)
  }
}
