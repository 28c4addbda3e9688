internal import CTransport
internal import WatchwordReactor

/// The TLS connection that an exchange was given to.
@ReactorActor
final class SlotConnection {
  private let connection: OpaquePointer
  /// What had been written to it before.
  private let written: UInt64

  /// Nil in clear. To be called from libcurl's callback before a request.
  init?(of easy: UnsafeMutableRawPointer) {
    guard let connection = transport_connection_of(easy) else { return nil }
    self.connection = connection
    written = transport_connection_written(connection)
  }

  isolated deinit { transport_connection_release(connection) }

  /// Whether anything was written since, for this exchange or for another one.
  var hasWritten: Bool { transport_connection_written(connection) != written }

  /// Whether another exchange is on it.
  var isShared: Bool { transport_connection_is_shared(connection) }

  /// Whether its server has kept the loop busy without any exchange making progress.
  var isFlooded: Bool { transport_connection_is_flooded(connection) }

  var networkProtocol: transport_protocol { transport_connection_protocol(connection) }
}
