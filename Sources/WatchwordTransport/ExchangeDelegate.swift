package import WatchwordCore
package import WatchwordReactor
package import WatchwordSecret
package import WatchwordVocabulary

/// Receives the events of an exchange, in the order head, body…, finish.
@ReactorActor
package protocol ExchangeDelegate: AnyObject {
  /// The `Authorization` value of a request with `isAuthorizedLate`, which is about to be written to its connection;
  /// nil: it is sent without. Called inside the transport: do not start or cancel exchanges here.
  func authorization(for exchange: any Exchange) -> Secret?
  /// Further fields with secrets that the same request carries: keys in fields of their own. Asked before its
  /// `Authorization`, and not for a request for a tunnel.
  func keyFields(for exchange: any Exchange) -> [HeaderField]
  /// The same for `Proxy-Authorization`, when a tunnel is about to be opened or a request is written to a proxy.
  func proxyAuthorization(for exchange: any Exchange) -> Secret?
  /// The cookies that the request is sent with, and that those of its response are kept with; nil: those of the engine.
  func cookies(for exchange: any Exchange) -> SessionCookies?
  /// The proxy has opened a tunnel with this response, which SOCKS lacks. Not called when a tunnel is used again.
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
