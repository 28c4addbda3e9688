/// One request that wants a credential: what the limits are checked against.
package struct CredentialUse: Sendable {
  package let url: RequestURL
  package let method: String
  /// Nil when nothing is sent, as in `explain`.
  package var task: TaskIdentifier?
  /// The process whose task it is; nil when it is not known.
  package let process: Int32?
  /// Whether somebody entitled has confirmed this use (limit `confirm`).
  package var isConfirmed = false
  /// Monotonic seconds.
  package let now: Double
  /// Seconds since 1970, for `notAfter`.
  package let wallClock: Double

  package init(url: RequestURL, method: String, process: Int32?, now: Double, wallClock: Double) {
    self.url = url
    self.method = method
    self.process = process
    self.now = now
    self.wallClock = wallClock
  }
}
