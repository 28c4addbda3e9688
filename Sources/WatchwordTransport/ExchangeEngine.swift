package import WatchwordCore
package import WatchwordReactor

/// Performs the exchanges of one session: no other session uses its connections, TLS sessions and cookies.
///
/// The narrow interface between the session's decisions and the HTTP implementation, which can therefore be replaced.
/// It does not authenticate, follow redirects or retry.
@ReactorActor
package protocol ExchangeEngine: AnyObject {
  /// Starts `request`; the delegate is called from the next turn of the loop on, never inside this call. The delegate
  /// is retained until `exchangeDidFinish`, which is called exactly once unless the exchange is cancelled.
  func start(_ request: ExchangeRequest, delegate: any ExchangeDelegate) -> any Exchange

  /// Connections open now, idle ones included.
  var openConnections: Int { get }
  /// Connections opened, and exchanges that reused one, since the engine was made.
  var connectionsOpened: Int { get }
  var connectionsReused: Int { get }

  var cookies: SessionCookies { get }
  /// Nil: default evaluation alone decides, and no client certificate is presented. Held until `shutDown`.
  var judge: (any HandshakeJudge)? { get set }

  /// Later connections are verified with these roots of the user, in PEM, beside the others; nil: with none.
  func replaceUserRoots(with pem: String?)

  /// Closes idle connections and forgets TLS sessions: no later exchange uses a connection that is open now.
  ///
  /// - Parameter startingAgain: whether connections in progress start again, under the current requirements.
  func closeIdleConnections(startingAgain: Bool)
  /// The same for a partition that no exchange will use again.
  func close(_ partition: ConnectionPartition)
  /// The same for the connections that depend on a decision that is over.
  func close(_ ground: ConnectionPartition.Ground)
  /// Cancels all exchanges and closes everything; the engine cannot be used afterwards.
  func shutDown()
}

extension ExchangeEngine {
  package func closeIdleConnections() { closeIdleConnections(startingAgain: false) }
}
