import CLinux
import Glibc
import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// A process that is connected to the daemon of a scene: it writes lines and reads lines.
@ReactorActor
final class Caller {
  /// The daemon's end.
  let peer: Peer
  /// -1 when it is closed.
  private(set) var descriptor: Int32
  /// Notifications that came between replies.
  private(set) var notifications: [JSONValue] = []
  /// Whether the daemon has ended the connection.
  private(set) var isAtEnd = false
  private var received: [UInt8] = []
  /// That came before they were waited for.
  private var replies: [Int: JSONValue] = [:]
  private var watch: Watch?
  private var onReadable: (() -> Void)?
  private var lastIdentifier = 0

  /// - Parameter descriptor: its own end, which is nonblocking.
  init(_ descriptor: Int32, _ peer: Peer) throws {
    self.descriptor = descriptor
    self.peer = peer
    watch = try EventLoop.shared.watch(descriptor, for: .none) { [weak self] _ in
      self?.watch?.interest = .none
      let wake = self?.onReadable
      self?.onReadable = nil
      wake?()
    }
  }

  func close() {
    guard descriptor >= 0 else { return }
    watch?.cancel()
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Says that nothing more comes; replies are still read.
  func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

  // MARK: Writing

  func write(_ text: String) async {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EPIPE { return }
      if count <= 0 { await DaemonScene.turn() } else { rest = rest.dropFirst(count) }
    }
  }

  /// Sends a request and returns its id.
  @discardableResult
  func send(_ method: String, _ params: String = "{}") async -> Int {
    lastIdentifier += 1
    await write(
      #"{"jsonrpc":"2.0","id":\#(lastIdentifier),"method":"\#(method)","params":\#(params)}"# + "\n")
    return lastIdentifier
  }

  /// The same with copies of these descriptors.
  @discardableResult
  func send(_ method: String, _ params: String, descriptors: [Int32]) -> Int {
    lastIdentifier += 1
    let text =
      #"{"jsonrpc":"2.0","id":\#(lastIdentifier),"method":"\#(method)","descriptors":\#(descriptors.count),"#
      + #""params":\#(params)}"# + "\n"
    let bytes = Array(text.utf8)
    #expect(
      clinux_send(descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count), false) == bytes.count
    )
    return lastIdentifier
  }

  /// Takes a request back: its reply is ``cancelled`` when that comes in time. Returns when the daemon has heard of it.
  func cancel(_ request: Int) async {
    await write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"# + "\n")
    _ = await ask("ping")
  }

  static let cancelled = "requestCancelled: the caller cancelled it"

  func say(_ method: String, _ params: String, descriptors: [Int32]) async -> String {
    Self.text(await reply(to: send(method, params, descriptors: descriptors)))
  }

  /// The result of a request, or its error.
  func ask(_ method: String, _ params: String = "{}") async -> JSONValue {
    await reply(to: await send(method, params))
  }

  /// The same as a text: of the result, or `kind: message` of the error.
  func say(_ method: String, _ params: String = "{}") async -> String {
    Self.text(await ask(method, params))
  }

  /// What `say` gives must be this.
  func check(
    _ method: String, _ params: String = "{}", is expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await say(method, params)
    #expect(found == expected, "\(method) \(params)", sourceLocation: sourceLocation)
  }

  /// The same with copies of these descriptors.
  func check(
    _ method: String, _ params: String, descriptors: [Int32], is expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await say(method, params, descriptors: descriptors)
    #expect(found == expected, "\(method) \(params)", sourceLocation: sourceLocation)
  }

  /// What `say` gives must have each of these parts.
  func check(
    _ method: String, _ params: String = "{}", has parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await say(method, params)
    for part in parts { #expect(found.contains(part), "\(method) \(params)", sourceLocation: sourceLocation) }
  }

  // MARK: Reading

  /// The result of the request with this id, or its error; notifications that come before are kept.
  func reply(to identifier: Int) async -> JSONValue {
    while replies[identifier] == nil, let message = await message() {
      guard case .integer(let number)? = message["id"] else {
        notifications.append(message)
        continue
      }
      replies[Int(number)] = message["result"] ?? message["error"] ?? .null
    }
    return replies.removeValue(forKey: identifier) ?? .string("the connection has ended")
  }

  /// Whether the reply to the request with this id has come before another that was waited for.
  func hasReply(to identifier: Int) -> Bool { replies[identifier] != nil }

  /// The next message; nil at the end.
  func message() async -> JSONValue? {
    guard let line = await line() else { return nil }
    do throws(JSONError) {
      return try parse(line)
    } catch {
      Issue.record("no JSON: \(line.prefix(200))")
      return nil
    }
  }

  /// The next notification of this method.
  func notification(_ method: String) async -> JSONValue? {
    if let index = notifications.firstIndex(where: { $0["method"]?.text == method }) {
      return notifications.remove(at: index)["params"]
    }
    while let message = await message() {
      if message["method"]?.text == method { return message["params"] }
      notifications.append(message)
    }
    return nil
  }

  /// The methods of the notifications that have come, in order; forgets these.
  func methods() async -> [String] {
    _ = await ask("ping")
    defer { notifications = [] }
    return notifications.compactMap { $0["method"]?.text }
  }

  /// The next line, without its end; nil at the end of the connection.
  func line() async -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard await readMore() else { return nil }
    }
  }

  /// Everything until the end of the connection.
  func rest() async -> String {
    while await readMore() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// False at the end, or when nothing has come for so long that nothing will.
  private func readMore() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isAtEnd, descriptor >= 0 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        received += buffer[..<count]
        return true
      }
      if count == 0 || errno != EAGAIN { break }
      guard await becomesReadable() else {
        Issue.record("nothing has come")
        break
      }
    }
    isAtEnd = true
    return false
  }

  private func becomesReadable() async -> Bool {
    await withCheckedContinuation { continuation in
      let guardian = EventLoop.shared.schedule(after: 10) { [weak self] in
        self?.onReadable = nil
        continuation.resume(returning: false)
      }
      onReadable = {
        guardian.cancel()
        continuation.resume(returning: true)
      }
      watch?.interest = .readable
    }
  }

  /// A result as JSON text, or `kind: message` of an error.
  static func text(_ reply: JSONValue) -> String {
    if let kind = reply["data"]?["kind"], let message = reply["message"] {
      return "\(kind.text): \(message.text)"
    }
    return written { $0.value(reply) }
  }
}
