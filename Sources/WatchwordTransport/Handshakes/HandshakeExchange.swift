internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The exchange that a connection is made for, as the connection's handshake sees it.
@ReactorActor
protocol HandshakeExchange: AnyObject {
  /// Nil when the exchange has ended.
  var request: ExchangeRequest? { get }
  /// Whose connection it will be; nil when the exchange has ended.
  var connections: (any HandshakePool)? { get }

  /// The first failure is the reason of the exchange's end.
  func fail(_ error: TransportError)
  /// The handshake waits for a token: libcurl's own limit would close the connection under it.
  func takeOverConnectTimeout()
  /// The handshake can go on.
  func goOnLater()
  /// The origin does not take HTTP/1.1 alone: the exchange begins again where HTTP/2 is offered, if it may use that.
  func noteRefusalOfHTTP1(by origin: Origin)
}

/// The connections that a handshake's own will be among.
@ReactorActor
protocol HandshakePool: AnyObject {
  var partition: ConnectionPartition { get }
  var judge: (any HandshakeJudge)? { get }
  var counters: ConnectionCounters { get }
  var resumptions: Resumptions { get set }
  /// Handshakes whose keys in tokens have not signed.
  var signing: [Handshake] { get set }

  /// Whether one of the running exchanges has such a request.
  func hasRequest(where isMeant: (ExchangeRequest) -> Bool) -> Bool
}
