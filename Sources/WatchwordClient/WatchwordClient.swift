internal import Glibc
package import WatchwordJSON

/// A blocking caller of the daemon.
///
/// The caller writes requests in place, so that a secret exists once and is wiped after sending. Notifications that
/// arrive during a wait for a reply are passed to ``onNotification`` one after the other; it may call the daemon
/// itself.
package final class WatchwordClient {
  package typealias Parameters = (inout JSONWriter) -> Void

  /// A message from the daemon that is no reply.
  package struct Notification: Sendable {
    package let method: String
    package let parameters: JSONValue
  }

  /// The reply to a request, with the descriptors sent with it.
  private struct Reply {
    let result: Result<JSONValue, RemoteError>
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

  package var onNotification: ((Notification) throws(ClientError) -> Void)?

  private let connection: DaemonConnection
  private let parser = JSONParser(limits: WatchwordClient.limits)
  private var lastIdentifier: Int64 = 0
  private var replies: [Int64: Reply] = [:]
  private var notifications: [Notification] = []
  private var isNotifying = false

  package init(_ connection: DaemonConnection) { self.connection = connection }

  /// For waiting on the daemon together with another descriptor.
  package var number: Int32 { connection.number }

  // MARK: Requests

  /// Sends a request with `descriptors` and returns its id.
  @discardableResult
  package func post(
    _ method: String, descriptors: [Int32] = [], reserving size: Int = 0, _ parameters: Parameters = { _ in }
  ) throws(ClientError) -> Int64 {
    lastIdentifier += 1
    try send(method, identifier: lastIdentifier, descriptors: descriptors, reserving: size, parameters)
    return lastIdentifier
  }

  /// Sends a request and waits for its result.
  @discardableResult
  package func call(
    _ method: String, descriptors: [Int32] = [], reserving size: Int = 0, _ parameters: Parameters = { _ in }
  ) throws(ClientError) -> JSONValue {
    try reply(to: try post(method, descriptors: descriptors, reserving: size, parameters))
  }

  /// Asks the daemon to cancel a request, which still gets a reply.
  package func cancel(_ identifier: Int64) throws(ClientError) {
    try send("$/cancelRequest", identifier: nil, descriptors: [], reserving: 0) {
      $0.key("id")
      $0.integer(identifier)
    }
  }

  private func send(
    _ method: String, identifier: Int64?, descriptors: [Int32], reserving size: Int, _ parameters: Parameters
  ) throws(ClientError) {
    var writer = JSONWriter()
    writer.buffer.reserveCapacity(size + Self.room)
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0" as StaticString)
    if let identifier {
      writer.key("id")
      writer.integer(identifier)
    }
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
    try connection.send(writer.buffer, descriptors: descriptors)
  }

  // MARK: Replies and notifications

  /// Waits for the reply to a request, and delivers notifications meanwhile.
  package func reply(to identifier: Int64) throws(ClientError) -> JSONValue {
    while true {
      if let result = try takeReply(to: identifier) { return result }
      try receive()
      try notify()
    }
  }

  /// The reply to a request if it has arrived; a `RemoteError` is thrown as `ClientError.refused`.
  package func takeReply(to identifier: Int64) throws(ClientError) -> JSONValue? {
    guard let reply = replies.removeValue(forKey: identifier) else { return nil }
    for descriptor in reply.descriptors { close(descriptor) }
    switch reply.result {
    case .success(let value): return value
    case .failure(let error): throw .refused(error)
    }
  }

  /// Receives once, blocking until bytes arrive, and sorts the messages.
  package func receive() throws(ClientError) {
    try connection.receive()
    while let line = try connection.nextLine() { try sort(line) }
  }

  /// Delivers the received notifications. A handler that waits for a reply is not called again meanwhile.
  package func notify() throws(ClientError) {
    guard !isNotifying else { return }
    isNotifying = true
    defer { isNotifying = false }
    while !notifications.isEmpty {
      let notification = notifications.removeFirst()
      try onNotification?(notification)
    }
  }

  /// Whether an undelivered notification matches; delivers none.
  package func hasNotification(where matches: (Notification) -> Bool) -> Bool {
    notifications.contains(where: matches)
  }

  private func sort(_ line: ArraySlice<UInt8>) throws(ClientError) {
    let parsed = line.withUnsafeBytes { bytes in Result { () throws(JSONError) in try parser.parse(bytes) } }
    guard case .success(let message) = parsed else { throw .unintelligible }
    let descriptors = connection.takeDescriptors(Int(clamping: message["descriptors"]?.integer ?? 0))
    if let method = message["method"]?.text {
      for descriptor in descriptors { close(descriptor) }
      notifications.append(Notification(method: method, parameters: message["params"] ?? .null))
      return
    }
    if let error = message["error"] {
      // An error without an id concerns the connection itself, such as a line that was too long.
      guard let identifier = message["id"]?.integer else { throw .refused(RemoteError(error)) }
      replies[identifier] = Reply(result: .failure(RemoteError(error)), descriptors: descriptors)
    } else if let identifier = message["id"]?.integer, let result = message["result"] {
      replies[identifier] = Reply(result: .success(result), descriptors: descriptors)
    } else {
      throw .unintelligible
    }
  }
}
