package import WatchwordCore
package import WatchwordReactor

/// What performs exchanges for one session: its connections, TLS sessions and cookies belong to nobody else.
///
/// The narrow waist between the session's decisions and the HTTP implementation, so that the latter could be
/// replaced. Nothing here authenticates, follows a redirect or retries.
@ReactorActor
package protocol ExchangeEngine: AnyObject {
  /// Begins `request`; the delegate hears of it from the next turn of the loop on, never from inside this
  /// call. The delegate is kept alive until `exchangeDidFinish`, which comes exactly once unless it is
  /// cancelled.
  func start(_ request: ExchangeRequest, delegate: any ExchangeDelegate) -> any Exchange

  /// Connections open now, idle ones included.
  var openConnections: Int { get }
  /// Connections opened, and exchanges that found one open, since the engine was made.
  var connectionsOpened: Int { get }
  var connectionsReused: Int { get }

  var cookies: SessionCookies { get }
  /// Nil: default evaluation alone decides, and no client certificate is presented. Held weakly.
  var judge: (any HandshakeJudge)? { get set }

  /// Closes idle connections and forgets TLS sessions: no exchange that starts later uses what is open now.
  ///
  /// - Parameter startingAnew: whether connections that are being made are made anew, under what is required now.
  func closeIdleConnections(startingAnew: Bool)
  /// The same for a partition that no exchange will use again.
  func close(_ partition: ConnectionPartition)
  /// Cancels what runs and closes everything; the engine is of no more use.
  func shutDown()
}

extension ExchangeEngine {
  package func closeIdleConnections() { closeIdleConnections(startingAnew: false) }
}
