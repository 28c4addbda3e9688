package import WatchwordReactor

/// A running exchange.
@ReactorActor
package protocol Exchange: AnyObject {
  /// Whether it has no connection yet.
  var isUnsent: Bool { get }
  /// The number of the connection that its request goes onto; nil: it is not known, or carries many requests at once.
  var connection: UInt64? { get }
  /// Stops it without further calls of the delegate.
  func cancel()
  /// Stops receiving and sending body bytes until `resume`.
  func pause()
  func resume()
  /// Ends it with `timedOut(.request)` when the rest of the response takes longer than this from now on, regardless
  /// of progress; time that it is paused does not count.
  func limitRest(seconds: Double)
}
