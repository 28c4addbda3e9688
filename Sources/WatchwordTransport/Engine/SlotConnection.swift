internal import CTransport
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The TLS connection that an exchange uses.
@ReactorActor
final class SlotConnection {
  let connection: OpaquePointer
  /// Bytes written and read before this exchange.
  private let written: UInt64
  private let read: UInt64

  /// Nil in cleartext. Call it from libcurl's callback before a request.
  init?(of easy: UnsafeMutableRawPointer) {
    guard let connection = transport_connection_of(easy) else { return nil }
    self.connection = connection
    written = transport_connection_written(connection)
    read = transport_connection_read(connection)
  }

  isolated deinit { transport_connection_release(connection) }

  /// Whether anything was written since, for this exchange or for another one.
  var hasWritten: Bool { transport_connection_written(connection) != written }

  /// Whether anything was received since, for this exchange or for another one.
  var hasRead: Bool { transport_connection_read(connection) != read }

  /// The numeric address and the port at the other end of its socket; nil when they are not known.
  var remoteAddress: (String, Int)? {
    Self.remoteAddress { transport_connection_remote_address(connection, $0, $1) }
  }

  /// The same of a socket.
  static func remoteAddress(of socket: Int32) -> (String, Int)? {
    remoteAddress { transport_socket_remote_address(socket, $0, $1) }
  }

  private static func remoteAddress(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> (String, Int)? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress else { return nil }
      let port = read(start, text.count)
      return port > 0 ? (String(cString: start), port) : nil
    }
  }

  /// Ends it for all its exchanges.
  func end() { transport_connection_end(connection) }

  /// Whether its handshake with the origin was done when this was made.
  var isUp: Bool { transport_connection_is_up(connection) }

  /// Whether another exchange uses it.
  var isShared: Bool { transport_connection_is_shared(connection) }

  /// Whether its server has kept the loop busy without any exchange making progress.
  var isFlooded: Bool { transport_connection_is_flooded(connection) }

  /// Whether the server wanted a second handshake, which was refused.
  var wantsHandshake: Bool { transport_connection_wants_handshake(connection) }

  var networkProtocol: transport_protocol { transport_connection_protocol(connection) }
}

/// Tells the connections of a pool apart, which libcurl 7.88 does not: by the origin and the local port.
@ReactorActor
final class ConnectionNumbers {
  /// Connections that are remembered. Beyond it all are forgotten: they get other numbers.
  private static let capacity = 4096
  /// Of all pools: a number is never used again.
  private static var last: UInt64 = 0

  private struct Place: Hashable {
    let origin: Origin
    let port: Int
  }

  private var numbers: [Place: UInt64] = [:]

  /// - Parameter isNew: whether this is the first request on the connection.
  func number(of origin: Origin, _ port: Int, isNew: Bool) -> UInt64 {
    let place = Place(origin: origin, port: port)
    if !isNew, let known = numbers[place] { return known }
    if numbers.count >= Self.capacity { numbers.removeAll() }
    Self.last += 1
    numbers[place] = Self.last
    return Self.last
  }
}
