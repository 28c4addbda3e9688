package import WatchwordCore
package import WatchwordReactor
package import WatchwordSecret

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
  /// The same for a lane that no exchange will use again.
  func close(_ lane: ConnectionLane)
  /// Cancels what runs and closes everything; the engine is of no more use.
  func shutDown()
}

extension ExchangeEngine {
  package func closeIdleConnections() { closeIdleConnections(startingAnew: false) }
}

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

/// Who is told what an exchange brings, in the order head, body…, finish.
@ReactorActor
package protocol ExchangeDelegate: AnyObject {
  /// The `Authorization` value of a request with `isAuthorizedLate`, which now goes onto its connection; nil: it goes
  /// without. Asked inside the transport: exchanges are neither started nor cancelled here.
  func authorization(for exchange: any Exchange) -> Secret?
  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead)
  /// Decoded body bytes, lent for the call; `.pause` refuses them: they are offered again after `resume`.
  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer
  /// Body bytes as they came, before a content coding is taken off; each exactly once.
  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer)
  /// Request body bytes handed to the connection so far.
  func exchange(_ exchange: any Exchange, didSendBody total: Int64)
  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics)
}

package enum BodyAnswer: Sendable {
  case taken
  case pause
  /// The rest is not wanted: the exchange ends here, and well. Its connection is closed, or its stream reset.
  case enough
}

/// Who says in the middle of a handshake whether a server's certificates will do, and what it is presented with.
@ReactorActor
package protocol HandshakeJudge: AnyObject {
  /// What the connection has to hold to beyond the configuration of the engine.
  func requirements(for origin: Origin) -> TrustPolicy.Requirements
  /// - Parameter faults: what default evaluation has found.
  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin, in lane: ConnectionLane
  ) -> TrustLedger.Ruling

  /// The server's own certificates have been accepted by then.
  ///
  /// - Parameter isAsked: whether somebody takes the question for one of the exchanges that the connection may serve.
  func ruling(
    on request: CertificateRequest, from origin: Origin, in lane: ConnectionLane, isAsked: Bool
  ) -> IdentityRuling

  /// Whether a TLS session in which this identity was presented may be resumed: the server takes that for presenting it.
  func mayStillPresent(_ identity: String) -> Bool

  /// The server does not take this identity.
  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin, in lane: ConnectionLane)
}

/// What becomes of a handshake in which the server asks for a client certificate.
package enum IdentityRuling: Sendable {
  case present(ClientIdentity)
  case presentNone
  /// The handshake stops, and somebody is asked.
  case ask
}

/// Settings of an engine that do not change during its life.
package struct EngineConfiguration: Sendable {
  package var connectionsPerHost = 6
  /// Over TLS, when the server speaks it.
  package var allowsHTTP2 = true
  package var minimumTLSVersion = SessionConfiguration.TLSBound.tls12
  package var maximumTLSVersion = SessionConfiguration.TLSBound.tls13
  /// PEM text of further roots; with `exclusive` the system's are not used.
  package var extraRoots: String?
  package var exclusiveRoots = false
  package var revocation = SessionConfiguration.Revocation.off
  /// PEM text of revocation lists.
  package var revocationLists: String?
  /// `host:port` to address, instead of asking the resolver.
  package var resolve: [(hostAndPort: String, address: String)] = []
  /// Refuse loopback, link-local and private addresses, checked on the resolved address at connect time.
  package var refusesPrivateAddresses = false
  package var cookiePolicy = SessionConfiguration.Cookies.accept
  /// Decoded bytes of one response body; nil: no bound.
  package var decodedBodyBytes: Int64?

  package init() {}
}
