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
  /// Of its exchange, where they are wanted.
  package var details: ExchangeDetails?

  package init(status: Int, headers: [HeaderField], networkProtocol: String = "http/1.1") {
    self.status = status
    self.headers = headers
    self.networkProtocol = networkProtocol
  }
}

extension ResponseHead {
  /// The bytes that the body of this response to `method` will have, if its head says so (RFC 9110 §8.6).
  ///
  /// - Parameter isDecoded: a coding is undone, after which there are more bytes than the head says.
  package func announcedBodyBytes(to method: String, isDecoded: Bool) -> Int64? {
    guard method != "HEAD", status != 304, !isDecoded || headers.first("content-encoding") == nil else {
      return nil
    }
    return headers.first("content-length").flatMap { Int64($0) }
  }
}
