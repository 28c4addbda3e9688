package import WatchwordVocabulary

/// One request that needs a credential: the input for checking the limits.
package struct CredentialUse: Sendable {
  package let url: RequestURL
  package let method: String
  /// Nil when nothing is sent, as in `explain`.
  package var task: TaskIdentifier?
  /// The process that the task runs for; nil when it is not known.
  package let process: Int32?
  /// Whether an entitled delegate has confirmed this use (limit `confirm`).
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
