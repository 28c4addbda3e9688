internal import Glibc
package import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// Performs the exchanges of one session: no other session uses its connections, TLS sessions and cookies.
///
/// The narrow interface between the session's decisions and the HTTP implementation, which can therefore be
/// replaced. It does not authenticate, follow redirects or retry.
@ReactorActor
package protocol ExchangeEngine: AnyObject {
  /// Starts `request`; the delegate is called from the next turn of the loop on, never inside this call. The
  /// delegate is retained until `exchangeDidFinish`, which is called exactly once unless the exchange is
  /// cancelled.
  func start(_ request: ExchangeRequest, _ setup: ExchangeSetup, delegate: any ExchangeDelegate)
    -> any Exchange

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

/// Settings of an engine that do not change during its life.
package struct EngineConfiguration: Sendable {
  /// In whose turns of the loop it works: the user of the session.
  package var uid: UInt32 = getuid()
  package var connectionsPerHost = 6
  /// Over TLS, when the server supports it.
  package var allowsHTTP2 = true
  /// The only one; nil: both.
  package var ipVersion: AllowedVersions.IP?
  package var minimumTLSVersion = SessionConfiguration.TLSBound.tls12
  package var maximumTLSVersion = SessionConfiguration.TLSBound.tls13
  /// PEM text of additional roots; with `exclusive` the system's are not used.
  package var extraRoots: String?
  package var exclusiveRoots = false
  /// PEM text of the user's roots, beside those above; nil where they do not count.
  package var userRoots: String?
  package var revocation = SessionConfiguration.Revocation.off
  /// PEM text of revocation lists.
  package var revocationLists: String?
  /// `host:port` to address, which replaces the resolver.
  package var resolve: [(hostAndPort: String, address: String)] = []
  /// Refuse loopback, link-local and private addresses, checked on the resolved address at connect time.
  package var refusesPrivateAddresses = false
  package var cookiePolicy = SessionConfiguration.Cookies.accept
  /// Decoded bytes of one response body; nil: no limit.
  package var decodedBodyBytes: Int64?

  package init() {}

  /// For connections that may use these versions only.
  func narrowed(to versions: AllowedVersions) -> EngineConfiguration {
    var narrowed = self
    narrowed.minimumTLSVersion = versions.minimumTLS
    narrowed.maximumTLSVersion = versions.maximumTLS
    narrowed.allowsHTTP2 = versions.allowsHTTP2
    narrowed.ipVersion = versions.ip
    return narrowed
  }
}

/// Why no engine can be made from a configuration.
package enum EngineFault: Error, Sendable, Equatable {
  /// The extra roots are not PEM certificates.
  case rootsUnreadable
  /// There may be so many.
  case tooManyRoots(Int)
  /// The revocation lists are not PEM lists.
  case revocationListsUnreadable
  /// An entry of `resolve` is not `host:port` and an address.
  case resolveEntry(String)
  case outOfMemory
}

/// A running exchange.
@ReactorActor
package protocol Exchange: AnyObject {
  /// Whether it has no connection yet.
  var isUnsent: Bool { get }
  /// The number of the connection that its request goes onto; nil: it is not known, or carries many requests
  /// at once.
  var connection: UInt64? { get }
  /// Stops it without further calls of the delegate.
  func cancel()
  /// Stops receiving and sending body bytes until `resume`.
  func pause()
  func resume()
  /// Ends it with `timedOut(.request)` when the rest of the response takes longer than this from now on,
  /// regardless of progress; time that it is paused does not count.
  func limitRest(seconds: Double)
}

/// Receives the events of an exchange, in the order head, body…, finish.
@ReactorActor
package protocol ExchangeDelegate: AnyObject {
  /// The `Authorization` value of a request with `isAuthorizedLate`, which is about to be written to its
  /// connection; nil: it is sent without. Called inside the transport: do not start or cancel exchanges here.
  func authorization(for exchange: any Exchange) -> Secret?
  /// Further fields with secrets that the same request carries: keys in fields of their own. Asked before its
  /// `Authorization`, and not for a request for a tunnel.
  func keyFields(for exchange: any Exchange) -> [HeaderField]
  /// The same for `Proxy-Authorization`, when a tunnel is about to be opened or a request is written to a
  /// proxy.
  func proxyAuthorization(for exchange: any Exchange) -> Secret?
  /// The cookies that the request is sent with, and that those of its response are kept with; nil: those of
  /// the engine.
  func cookies(for exchange: any Exchange) -> SessionCookies?
  /// The proxy has opened a tunnel with this response, which SOCKS lacks. Not called when a tunnel is used
  /// again.
  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?)
  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead)
  /// Counts the memory that decoding the body takes; nil: it is not counted.
  func decodingMemory(for exchange: any Exchange) -> (any HeldMemory)?
  /// Decoded body bytes, valid during the call; `.pause` refuses them: they are offered again after `resume`.
  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer
  /// Body bytes as received, before a content coding is decoded; each exactly once.
  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer)
  /// The digest fields behind the body (RFC 9530 §2 and §3), if the head has announced them with `Trailer`.
  func exchange(_ exchange: any Exchange, didReceiveTrailers fields: [HeaderField])
  /// Request body bytes handed to the connection so far.
  func exchange(_ exchange: any Exchange, didSendBody total: Int64)
  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics)
}

extension ExchangeDelegate {
  /// Nothing but tasks carries keys.
  package func keyFields(for exchange: any Exchange) -> [HeaderField] { [] }
}

/// The memory of the user for whom something is held.
@ReactorActor
package protocol HeldMemory: AnyObject {
  /// For another thing of the same user.
  func another() -> Self
  /// False when there may not be so many bytes more.
  func grow(by more: Int) -> Bool
  /// For what is there already, and what other limits bound.
  func growAnyway(by more: Int)
  func shrink(by less: Int)
}

extension ExchangeDelegate {
  package func cookies(for exchange: any Exchange) -> SessionCookies? { nil }
  package func decodingMemory(for exchange: any Exchange) -> (any HeldMemory)? { nil }
  package func exchange(_ exchange: any Exchange, didReceiveTrailers fields: [HeaderField]) {}
}

package enum BodyAnswer: Sendable {
  case taken
  case pause
  /// The rest is not needed: the exchange ends here without an error. Its connection is closed, or its stream
  /// reset.
  case enough
}

/// Decides during a handshake whether to accept a server's certificates, and which client certificate to
/// present.
@ReactorActor
package protocol HandshakeJudge: AnyObject {
  /// What the connection must satisfy beyond the configuration of the engine.
  func requirements(for origin: Origin) -> TrustPolicy.Requirements
  /// - Parameter faults: the faults that default evaluation found.
  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition
  ) -> TrustStore.Ruling

  /// Called after the server's own certificates have been accepted.
  ///
  /// - Parameter isAsked: whether a delegate takes the question for an exchange that the connection may
  ///   serve.
  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling

  /// Whether a TLS session may be resumed in which this identity was presented: the server treats that as
  /// presenting.
  func mayStillPresent(_ identity: String) -> Bool

  /// The server has refused this identity.
  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition)
}

/// How a handshake continues in which the server requests a client certificate.
package enum IdentityRuling: Sendable {
  case present(ClientIdentity)
  case presentNone
  /// The handshake stops, and a delegate is asked.
  case ask
}
