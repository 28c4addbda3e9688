/// How the connection of an exchange ended before the response was complete.
package struct ConnectionLoss: Sendable, Equatable {
  /// Whether the server may have processed the request; the wire's `processed`.
  package enum Processed: String, Sendable {
    /// The request did not reach the server, or the server said that it did not process it.
    case no
    /// The transport cannot prove that.
    case unknown
  }

  /// Nothing of a response had arrived.
  package var isBeforeFirstByte: Bool
  /// The connection had served other exchanges, or its server was closing it or has refused the request over HTTP/2:
  /// servers end such connections regardless of the request, and another connection may succeed.
  package var wasStale: Bool
  package var processed: Processed
  /// The server takes the request over HTTP/1.1 only (RFC 9113 §7, HTTP_1_1_REQUIRED).
  package var requiresHTTP1: Bool

  package init(
    isBeforeFirstByte: Bool, wasStale: Bool = false, processed: Processed = .unknown,
    requiresHTTP1: Bool = false
  ) {
    self.isBeforeFirstByte = isBeforeFirstByte
    self.wasStale = wasStale
    self.processed = processed
    self.requiresHTTP1 = requiresHTTP1
  }
}
