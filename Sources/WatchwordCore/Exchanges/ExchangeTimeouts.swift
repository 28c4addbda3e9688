/// Seconds; nil means no limit. They do not run while the exchange is paused.
package struct ExchangeTimeouts: Sendable, Equatable {
  package var connectSeconds: Double?
  /// Longest time without a byte in either direction.
  package var requestSeconds: Double?

  package init(connectSeconds: Double? = 30, requestSeconds: Double? = 60) {
    self.connectSeconds = connectSeconds
    self.requestSeconds = requestSeconds
  }
}
