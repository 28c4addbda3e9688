package import WatchwordReactor

/// A running exchange.
@ReactorActor
package protocol Exchange: AnyObject {
  /// Whether it has no connection yet.
  var isUnsent: Bool { get }
  /// Stops it; the delegate hears nothing more.
  func cancel()
  /// Asks for no more body bytes, and for none to be sent, until `resume`.
  func pause()
  func resume()
  /// Ends it with `timedOut(.request)` when the rest of the response takes longer than this from now on, however much
  /// comes meanwhile; time that it is paused does not count.
  func limitRest(seconds: Double)
}
