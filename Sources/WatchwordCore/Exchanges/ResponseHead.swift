package import WatchwordVocabulary

/// Status line and header fields of a final response (1xx are dropped).
package struct ResponseHead: Sendable, Equatable {
  package var status: Int
  package var headers: [HeaderField]
  /// As in ``ExchangeMetrics``.
  package var networkProtocol: String
  /// Whether the connection had served another exchange before.
  package var isOnReusedConnection = false
  /// The number of the connection, of refusals; nil: unknown, or one that carries many requests at once.
  package var connection: UInt64?
  /// The data of the channel binding `tls-server-end-point` (RFC 5929 §4.1), of refusals; empty in cleartext.
  package var serverEndPoint: [UInt8] = []

  package init(status: Int, headers: [HeaderField], networkProtocol: String = "http/1.1") {
    self.status = status
    self.headers = headers
    self.networkProtocol = networkProtocol
  }
}
