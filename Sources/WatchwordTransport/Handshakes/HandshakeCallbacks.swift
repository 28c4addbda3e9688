internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// OpenSSL's calls in the middle of a handshake, as `tls.c` passes them on.
enum HandshakeCallbacks {
  static let trust: transport_trust_function = { context, chain, faults, count, isResumption in
    guard let context, let chain else { return false }
    var found: [TrustFault] = []
    for fault in UnsafeBufferPointer(start: faults, count: Int(count)) {
      let typed = TrustFault(reason: TrustReason(verifyError: fault.error), depth: Int(fault.depth))
      if !found.contains(typed) { found.append(typed) }
    }
    return onLoop(context, (chain, found, isResumption)) { (handshake: Handshake, shown) in
      shown.2 ? handshake.resumes(shown.0, shown.1) : handshake.accepts(shown.0, shown.1)
    }
  }

  static let certificate: transport_certificate_function = { context, connection in
    guard let context, let connection else { return false }
    return onLoop(context, connection) { (handshake: Handshake, connection) in handshake.present(connection) }
  }

  static let alert: transport_alert_function = { context, alert in
    guard let context else { return }
    onLoop(context, alert) { (handshake: Handshake, alert) in handshake.note(alert: alert) }
  }

  static let heard: transport_heard_function = { context, bytes, count in
    guard let context else { return }
    onLoop(context, UnsafeRawBufferPointer(start: bytes, count: count)) { (handshake: Handshake, header) in
      handshake.note(firstBytes: header)
    }
  }

  static let turn: transport_turn_function = { context in
    guard let context else { return true }
    return onLoop(context, ()) { (handshake: Handshake, _) in handshake.isItsTurn }
  }

  static let complex: transport_complex_function = { context in
    guard let context else { return }
    onLoop(context, ()) { (handshake: Handshake, _) in handshake.noteComplexity() }
  }

  static let release: transport_release_function = { context in
    if let context { Unmanaged<Handshake>.fromOpaque(context).release() }
  }
}

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
