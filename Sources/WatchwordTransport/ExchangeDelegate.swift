package import WatchwordCore
package import WatchwordReactor
package import WatchwordSecret

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
