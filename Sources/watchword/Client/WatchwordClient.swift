internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages

/// A blocking caller of the daemon.
///
/// Requests write themselves in place, so that a secret exists once and is wiped after sending. Notifications
/// that arrive during a wait for a reply are passed to ``onNotification`` one after the other; it may call
/// the daemon itself.
final class WatchwordClient {
  private typealias Parameters = (inout JSONWriter) -> Void

  /// A request that was sent.
  struct Pending<Result: Readable> {
    fileprivate let identifier: Int
  }

  /// A result.
  struct Reply<Result: Readable> {
    /// As the daemon sent it, with members that the contract of this program has not.
    let text: JSONNode
    let result: Result
  }

  /// The reply to a request, with the descriptors sent with it.
  private struct Received {
    let result: Result<JSONNode, RemoteError>
    let descriptors: [Int32]
  }

  /// Room for all parts of a request except a body.
  private static let room = 16 << 10

  /// Replies come from a daemon of our own uid; the largest is an inline body.
  private static let limits: JSONLimits = {
    var limits = JSONLimits()
    limits.stringBytes = 96 << 20
    limits.elements = 10_000_000
    return limits
  }()

  var onNotification: ((Notification) throws(ClientError) -> Void)?

  private var connection: DaemonConnection
  /// Connects again; nil where this program may start no daemon.
  private let reconnect: (() throws(ClientError) -> DaemonConnection)?
  /// The first message, until another follows or something has arrived: a daemon that ends because it is idle
  /// may not have read it.
  private var first: WipedBytes?
  private let parser = JSONParser(limits: WatchwordClient.limits)
  private var lastIdentifier: Int = 0
  private var replies: [Int: Received] = [:]
  private var notifications: [Notification] = []
  private var isNotifying = false

  init(
    _ connection: DaemonConnection, reconnect: (() throws(ClientError) -> DaemonConnection)? = nil
  ) {
    self.connection = connection
    self.reconnect = reconnect
  }

  /// For waiting on the daemon together with another descriptor.
  var number: Int32 { connection.number }

  // MARK: Requests

  /// Sends a request with `descriptors`.
  ///
  /// - Parameter size: bytes that the parameters take beside those of every request, about.
  @discardableResult
  func post<Request: MethodRequest>(
    _ request: Request, descriptors: [Int32] = [], reserving size: Int = 0
  ) throws(ClientError) -> Pending<Request.Result> {
    Pending(
      identifier: try post(
        Request.method, isQuestion: Request.isQuestion, descriptors: descriptors, reserving: size,
        request.writeMembers))
  }

  /// Sends a request and waits for its result.
  @discardableResult
  func call<Request: MethodRequest>(
    _ request: Request, descriptors: [Int32] = [], reserving size: Int = 0
  ) throws(ClientError) -> Request.Result {
    try reply(to: try post(request, descriptors: descriptors, reserving: size))
  }

  /// The same as ``call(_:descriptors:reserving:)``, with the result as it came.
  func callReply<Request: MethodRequest>(
    _ request: Request, descriptors: [Int32] = [], reserving size: Int = 0
  ) throws(ClientError) -> Reply<Request.Result> {
    let text = try text(
      ofReplyTo: try post(
        Request.method, isQuestion: Request.isQuestion, descriptors: descriptors, reserving: size,
        request.writeMembers))
    return Reply(text: text, result: try Self.read(text))
  }

  /// The result of a method that only the caller knows.
  ///
  /// - Parameter parameters: writes their members.
  func call(_ method: String, _ parameters: (inout JSONWriter) -> Void) throws(ClientError) -> JSONNode {
    try text(ofReplyTo: try post(method, isQuestion: false, parameters))
  }

  /// - Parameter isQuestion: whether nothing in it can be secret.
  private func post(
    _ method: String, isQuestion: Bool, descriptors: [Int32] = [], reserving size: Int = 0,
    _ parameters: Parameters
  ) throws(ClientError) -> Int {
    guard connection.isTrusted || isQuestion else {
      throw .foreignDaemon(path: connection.path, uid: connection.uid)
    }
    lastIdentifier += 1
    var writer = JSONWriter()
    writer.buffer.reserveCapacity(size + Self.room)
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0" as StaticString)
    writer.key("id")
    writer.integer(lastIdentifier)
    writer.key("method")
    writer.string(method)
    writer.key("params")
    writer.beginObject()
    parameters(&writer)
    writer.endObject()
    if !descriptors.isEmpty {
      writer.key("descriptors")
      writer.integer(descriptors.count)
    }
    writer.endObject()
    writer.buffer.append(UInt8(ascii: "\n"))
    first = nil
    do throws(ClientError) {
      if lastIdentifier == 1 && descriptors.isEmpty { keepFirst(writer.buffer) }
      try connection.send(writer.buffer, descriptors: descriptors)
    } catch {
      try repeatFirst(after: error)
    }
    return lastIdentifier
  }

  private func keepFirst(_ message: borrowing WipedBytes) {
    guard reconnect != nil else { return }
    var kept = WipedBytes()
    message.withUnsafeBytes { kept.append($0) }
    first = consume kept
  }

  /// Sends the first message to the next daemon, once, if none can have read it.
  private func repeatFirst(after error: ClientError) throws(ClientError) {
    guard connection.wasLostUnread, let reconnect, let message = first.take() else { throw error }
    let next = try reconnect()
    guard next.isTrusted else { throw error }
    connection = next
    try connection.send(message)
  }

  // MARK: Replies and notifications

  /// Waits for the reply to a request, and delivers notifications meanwhile.
  func reply<Result>(to request: Pending<Result>) throws(ClientError) -> Result {
    try Self.read(try text(ofReplyTo: request.identifier))
  }

  /// The reply to a request if it has arrived; a `RemoteError` is thrown as `ClientError.refused`.
  func takeReply<Result>(to request: Pending<Result>) throws(ClientError) -> Result? {
    guard let text = try takeText(ofReplyTo: request.identifier) else { return nil }
    return try Self.read(text)
  }

  private func text(ofReplyTo identifier: Int) throws(ClientError) -> JSONNode {
    while true {
      if let result = try takeText(ofReplyTo: identifier) { return result }
      try receive()
      try notify()
    }
  }

  private func takeText(ofReplyTo identifier: Int) throws(ClientError) -> JSONNode? {
    guard let reply = replies.removeValue(forKey: identifier) else { return nil }
    for descriptor in reply.descriptors { close(descriptor) }
    switch reply.result {
    case .success(let value): return value
    case .failure(let error): throw .refused(error)
    }
  }

  /// A result that was received.
  private static func read<Result: Readable>(_ text: JSONNode) throws(ClientError) -> Result {
    do { return try Result(reading: text) } catch { throw .unreadable(error) }
  }

  /// Receives once, blocking until bytes arrive, and sorts the messages.
  func receive() throws(ClientError) {
    do throws(ClientError) {
      try connection.receive()
    } catch {
      try repeatFirst(after: error)
      try connection.receive()
    }
    first = nil
    while let line = try connection.nextLine() { try sort(line) }
  }

  /// Delivers the received notifications. A handler that waits for a reply is not called again meanwhile.
  func notify() throws(ClientError) {
    guard !isNotifying else { return }
    isNotifying = true
    defer { isNotifying = false }
    while !notifications.isEmpty {
      let notification = notifications.removeFirst()
      try onNotification?(notification)
    }
  }

  /// Whether an undelivered notification matches; delivers none.
  func hasNotification(where matches: (Notification) -> Bool) -> Bool {
    notifications.contains(where: matches)
  }

  private func sort(_ line: ArraySlice<UInt8>) throws(ClientError) {
    let read = line.withUnsafeBytes { bytes in
      (try? parser.parse(bytes)).flatMap { try? ReceivedMessage(reading: $0) }
    }
    guard let message = read else { throw .unintelligible }
    let descriptors = connection.takeDescriptors(message.descriptors)
    if let method = message.method {
      for descriptor in descriptors { close(descriptor) }
      do {
        notifications.append(try Notification(method, message.parameters))
      } catch {
        throw .unreadable(error)
      }
      return
    }
    if let error = message.error {
      // An error without an id concerns the connection itself, such as a line that was too long.
      guard let identifier = message.identifier else { throw .refused(RemoteError(error)) }
      replies[identifier] = Received(result: .failure(RemoteError(error)), descriptors: descriptors)
    } else if let identifier = message.identifier, let result = message.result {
      replies[identifier] = Received(result: .success(result), descriptors: descriptors)
    } else {
      throw .unintelligible
    }
  }
}

extension MethodRequest {
  /// Whether it asks a daemon about itself, or tells it what root may tell every one, and holds nothing that
  /// could be secret.
  fileprivate static var isQuestion: Bool { questions.contains(method) }
}

private let questions: Set<String> = [
  "agent/forget", "challenge/list", "server/reload", "server/shutdown", "status", "status/subscribe",
]
