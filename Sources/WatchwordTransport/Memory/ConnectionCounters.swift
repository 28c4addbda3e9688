internal import CTransport
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Counts across all pools of an engine, and what they take of the user's memory.
@ReactorActor
final class ConnectionCounters {
  /// Connections, those that are being made among them.
  var open = 0 {
    didSet { hold((open - oldValue) * HeldBytes.connection) }
  }
  /// Pools that are not closed.
  var pools = 0 {
    didSet { hold((pools - oldValue) * HeldBytes.pool) }
  }
  /// Exchanges that libcurl has.
  var exchanges = 0 {
    didSet { hold((exchanges - oldValue) * HeldBytes.exchange) }
  }
  /// Connections with TLS.
  var secured = 0 {
    didSet { hold((secured - oldValue) * HeldBytes.tls) }
  }
  /// Handshakes that wait for the signature of a token.
  var signing = 0 {
    didSet { hold((signing - oldValue) * HeldBytes.signing) }
  }
  /// Bytes in the buffers into which libcurl reads.
  var buffered = 0 {
    didSet { hold(buffered - oldValue) }
  }
  var opened = 0
  var reused = 0
  private let memory: (any HeldMemory)?

  init(_ memory: (any HeldMemory)?) { self.memory = memory }

  private func hold(_ bytes: Int) {
    if bytes > 0 { memory?.growAnyway(by: bytes) } else { memory?.shrink(by: -bytes) }
  }
}
