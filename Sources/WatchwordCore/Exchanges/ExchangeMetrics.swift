/// Timing of one exchange: seconds from its start to the end of each phase, 0 for phases that an earlier exchange of
/// its connection completed.
package struct ExchangeMetrics: Sendable, Equatable {
  package var nameLookupSeconds = 0.0
  package var connectSeconds = 0.0
  package var tlsSeconds = 0.0
  package var firstByteSeconds = 0.0
  package var totalSeconds = 0.0
  package var bytesSent: Int64 = 0
  package var bytesReceived: Int64 = 0
  /// `http/1.0`, `http/1.1` or `h2`.
  package var networkProtocol = ""
  package var isReused = false

  package init() {}
}
