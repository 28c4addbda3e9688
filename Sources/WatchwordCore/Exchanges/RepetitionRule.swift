/// Whether the daemon sends a request again on its own, as a separate exchange (challenges.md 13.10).
///
/// The transport never repeats a request by itself: a POST that the server may have processed would be
/// executed twice.
package enum RepetitionRule {
  /// Connections that one step may lose: idle ones of a server that has restarted, or all connections that a
  /// server with a low request limit is closing.
  package static let limit = 5
  /// From this repetition on, HTTP/1.1 is used: some servers refuse a request only on HTTP/2 (RFC 9113 §7).
  package static let limitOverHTTP2 = 3

  /// The methods that may be repeated although the server may have processed the request (RFC 9110 §9.2.2):
  /// those that IANA's HTTP Method Registry calls idempotent, except `PRI`, which is no request.
  private static let idempotentMethods: Set<String> = [
    "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "GET", "HEAD", "LABEL",
    "LINK", "MERGE",
    "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "OPTIONS", "ORDERPATCH",
    "PROPFIND",
    "PROPPATCH", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK",
    "UNLOCK",
    "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
  ]

  package static func isIdempotent(_ method: String) -> Bool { idempotentMethods.contains(method) }

  /// - Parameter count: how often this step has been repeated.
  package static func repeats(_ method: String, after loss: ConnectionLoss, count: Int) -> Bool {
    guard count < limit, loss.isBeforeFirstByte, loss.wasStale else { return false }
    return loss.processed == .no || isIdempotent(method)
  }
}

/// How often the request of one step was sent again without a response, and what the repetitions must change.
package struct Repetition: Sendable, Equatable {
  package var lostConnections = 0
  package var omitsExpect = false
  package var requiresNewConnection = false

  package init() {}

  package var requiresHTTP1: Bool { lostConnections >= RepetitionRule.limitOverHTTP2 }
}
