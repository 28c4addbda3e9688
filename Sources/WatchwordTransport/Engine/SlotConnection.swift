internal import CTransport
internal import WatchwordReactor

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
