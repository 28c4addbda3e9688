import CLinux
import CLoaded
import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// The system's bus with logind on it, as far as one client needs them (D-Bus specification, "Message protocol").
@ReactorActor
private final class FakeBus {
  private let listener: Int32
  private var connection: Int32 = -1
  private var received: [UInt8] = []
  private var isAuthenticated = false
  private var serial: UInt32 = 0
  /// The serials of the calls of `Inhibit` that have no answer yet.
  private(set) var asked: [UInt32] = []
  private(set) var connections = 0

  init(_ path: String) {
    listener = clinux_unix_listen(path, 8)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  isolated deinit {
    hangUp()
    close(listener)
  }

  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }

  /// Takes what has come, and answers it as the bus does.
  func serve() {
    let accepted = clinux_accept(listener)
    if accepted >= 0 {
      hangUp()
      (connection, isAuthenticated, received) = (accepted, false, [])
      connections += 1
    }
    guard connection >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      received += buffer[..<count]
    }
    if !isAuthenticated { authenticate() }
    while isAuthenticated, let message = nextMessage() { answer(message) }
  }

  private func authenticate() {
    let end = Array("BEGIN\r\n".utf8)
    guard let place = received.indices.first(where: { received[$0...].starts(with: end) }) else { return }
    let said = String(decoding: received[..<place], as: UTF8.self)
    var reply = said.contains("DATA\r\n") ? "DATA\r\n" : ""
    reply += "OK \(String(repeating: "0a", count: 16))\r\n"
    if said.contains("NEGOTIATE_UNIX_FD") { reply += "AGREE_UNIX_FD\r\n" }
    received.removeFirst(place + end.count)
    isAuthenticated = true
    write(Array(reply.utf8))
  }

  private func write(_ bytes: [UInt8], _ descriptors: [Int32] = []) {
    #expect(
      clinux_send(connection, bytes, bytes.count, descriptors, Int32(descriptors.count), false)
        == bytes.count)
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private func nextMessage() -> [UInt8]? {
    guard received.count >= 16 else { return nil }
    let size = 16 + (Self.number(received, at: 12) + 7) / 8 * 8 + Self.number(received, at: 4)
    guard received.count >= size else { return nil }
    defer { received.removeFirst(size) }
    return Array(received[..<size])
  }

  private func answer(_ message: [UInt8]) {
    let call = UInt32(Self.number(message, at: 8))
    let text = String(decoding: message, as: UTF8.self)
    if text.contains("Inhibit") {
      asked.append(call)
    } else if text.contains("Hello") {
      send(2, [.reply(call), .text(7, "s", "org.freedesktop.DBus"), .signature("s")], .text(":1.5"))
    } else {
      send(2, [.reply(call), .text(7, "s", "org.freedesktop.DBus")])
    }
  }

  // MARK: What logind says

  /// Lends this descriptor for the call that waits for longest.
  func lend(_ descriptor: Int32) {
    let call = asked.removeFirst()
    send(
      2, [.reply(call), .text(7, "s", ":1.9"), .signature("h"), .number(9, 1)], .number(0), [descriptor])
  }

  /// Refuses it.
  func refuse(as sender: String = ":1.9") {
    let call = asked.removeFirst()
    send(3, [.reply(call), .text(7, "s", sender), .text(4, "s", "org.example.Error")])
  }

  func announce(isBeginning: Bool) {
    send(
      4,
      [
        .text(1, "o", "/org/freedesktop/login1"), .text(2, "s", "org.freedesktop.login1.Manager"),
        .text(3, "s", "PrepareForSleep"), .text(7, "s", ":1.9"), .signature("b"),
      ], .number(isBeginning ? 1 : 0))
  }

  private enum Body {
    case none
    case number(UInt32)
    case text(String)
  }

  private enum Field {
    case reply(UInt32)
    case number(UInt8, UInt32)
    case text(UInt8, String, String)
    case signature(String)
  }

  private static func octets(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func octets(_ text: String) -> [UInt8] {
    octets(UInt32(text.utf8.count)) + Array(text.utf8) + [0]
  }

  private static func octets(_ field: Field) -> [UInt8] {
    func head(_ code: UInt8, _ type: String) -> [UInt8] { [code, 1, type.utf8.first ?? 0, 0] }
    return switch field {
    case .reply(let call): head(5, "u") + octets(call)
    case .number(let code, let value): head(code, "u") + octets(value)
    case .text(let code, let type, let text): head(code, type) + octets(text)
    case .signature(let text): head(8, "g") + [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
    }
  }

  private func send(_ type: UInt8, _ fields: [Field], _ body: Body = .none, _ descriptors: [Int32] = []) {
    serial += 1
    var list: [UInt8] = []
    for field in fields + [.text(6, "s", ":1.5")] {
      while list.count % 8 != 0 { list.append(0) }
      list += Self.octets(field)
    }
    let content: [UInt8] =
      switch body {
      case .none: []
      case .number(let number): Self.octets(number)
      case .text(let text): Self.octets(text)
      }
    var message: [UInt8] = [UInt8(ascii: "l"), type, 1, 1]
    message +=
      Self.octets(UInt32(content.count)) + Self.octets(serial) + Self.octets(UInt32(list.count)) + list
    while message.count % 8 != 0 { message.append(0) }
    write(message + content, descriptors)
  }
}

/// Agents are locked before the machine sleeps (storage.md 9.11.14), in a process with a bus of its own.
struct SuspendWatcherTests {
  @Test func sleepWaitsForTheWiping() async {
    await #expect(processExitsWith: .success) {
      guard logind_is_available() else { return }
      let folder = try TemporaryFolder()
      setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(folder.path(of: "bus"))", 1)
      LoopThread.started
      try await Self.sleepAndWake(folder)
    }
  }

  /// Whether the other end of the pipe is closed everywhere.
  private static func isClosed(_ end: Int32) -> Bool {
    var byte: UInt8 = 0
    return read(end, &byte, 1) == 0
  }

  /// The end of a pipe that is read, and the one that is lent.
  private static func pipe() throws -> (reading: Int32, lent: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(clinux_pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }

  @ReactorActor private static func sleepAndWake(_ folder: TemporaryFolder) async throws {
    var locks: [@ReactorActor () -> Void] = []
    var changes = 0
    let watcher = SuspendWatcher(
      lockAll: { await completion { locks.append($0) } }, changed: { changes += 1 })
    #expect(watcher.state == .off)
    // Nobody listens there yet.
    watcher.turn(on: true)
    #expect(watcher.state == .noBus && changes > 0)
    watcher.turn(on: false)
    let bus = FakeBus(folder.path(of: "bus"))
    watcher.turn(on: true)
    #expect(watcher.state == .connecting)
    await DaemonScene.until {
      bus.serve()
      return bus.asked.count == 1
    }
    var ends = try pipe()
    bus.lend(ends.lent)
    close(ends.lent)
    await DaemonScene.until {
      bus.serve()
      return watcher.state == .ready
    }
    #expect(!isClosed(ends.reading) && locks.isEmpty)
    bus.announce(isBeginning: true)
    await DaemonScene.until { locks.count == 1 }
    // The machine waits until everything is wiped.
    #expect(!isClosed(ends.reading))
    locks[0]()
    await DaemonScene.until { isClosed(ends.reading) }
    close(ends.reading)
    bus.announce(isBeginning: false)
    await DaemonScene.until {
      bus.serve()
      return bus.asked.count == 1
    }
    bus.refuse()
    await DaemonScene.until { watcher.state == .noInhibitor }
    // Sleep is told all the same.
    bus.announce(isBeginning: true)
    await DaemonScene.until { locks.count == 2 }
    bus.announce(isBeginning: false)
    await DaemonScene.until {
      bus.serve()
      return bus.asked.count == 1
    }
    ends = try pipe()
    bus.lend(ends.lent)
    close(ends.lent)
    await DaemonScene.until { watcher.state == .ready }
    // The bus goes away, and with it what was lent.
    bus.hangUp()
    await DaemonScene.until { watcher.state == .noBus && isClosed(ends.reading) }
    close(ends.reading)
    // It is tried again.
    let before = bus.connections
    await DaemonScene.until {
      bus.serve()
      return bus.connections > before && !bus.asked.isEmpty
    }
    // What the bus says in logind's place is no answer of it.
    bus.refuse(as: "org.freedesktop.DBus")
    await DaemonScene.until { watcher.state == .noLogind }
    watcher.turn(on: false)
    #expect(watcher.state == .off)
  }
}
