internal import CTransport
internal import WatchwordCore

/// A server's wish for a client certificate in the middle of a handshake.
extension TransferSlot {
  /// Presents what the session says; if the handshake does not go on, the exchange's failure says why.
  fileprivate func presentCertificate(_ connection: OpaquePointer) -> Bool {
    guard let pool, let origin = exchange.request?.url.origin else { return false }
    guard let request = CertificateRequest(connection) else { return false }
    transfer.presentation = CertificatePresentation(request: request, identity: nil)
    // Whoever waits for this connection may share it, over HTTP/2.
    let isAsked = pool.active.contains { slot in
      slot.exchange.request.map { $0.isAskedForIdentities && $0.url.origin == origin } ?? false
    }
    switch pool.judge?.ruling(on: request, from: origin, in: pool.partition, isAsked: isAsked) {
    case .present(let identity):
      transfer.presentation?.identity = identity
      guard identity.present(connection) else {
        fail(.clientCertificateRefused(.certificateRefused))
        return false
      }
      pool.resumptions.note(identity.identity.identifier, presentedTo: origin)
      return true
    case .presentNone, nil: return true
    case .ask:
      fail(.clientCertificateUndecided(request))
      return false
    }
  }
}

extension TransferSlot {
  /// Why the exchange failed, if it was for the client certificate. On TLS 1.3 that is known only when the request has
  /// been written: the server has not processed it.
  var certificateRefusal: TransportError? {
    guard let presentation = transfer.presentation, !transfer.hasHead else { return nil }
    if presentation.identity?.hasFailed ?? false { return .clientCertificateRefused(.tokenFailed) }
    guard presentation.isRefused else { return nil }
    guard let identity = presentation.identity else { return .clientCertificateRefused(.certificateRequired) }
    guard let request = exchange.request else { return nil }
    pool?.judge?.refused(
      identity.identity.identifier, for: presentation.request, from: request.url.origin, in: request.partition
    )
    return request.isAskedForIdentities
      ? .clientCertificateUndecided(presentation.request) : .clientCertificateRefused(.certificateRefused)
  }

  fileprivate func note(alert: Int32) {
    if alert == SSL_AD_NO_APPLICATION_PROTOCOL, let line, let pool, pool.isHTTP1Only,
      let siblings = pool.siblings, siblings.avoidsHTTP2(exchange)
    {
      siblings.protocols.noteRefusalOfHTTP1(line.origin)
      transfer.beginsAgain = true
    }
    transfer.presentation?.note(alert: alert)
  }
}

extension ConnectionPool {
  fileprivate func note(alert: Int32, for number: UInt64) {
    active.first { $0.number == number }?.note(alert: alert)
  }

  /// For the exchange on whose behalf the connection is made; a handshake for nobody is stopped.
  fileprivate func presentCertificate(_ connection: OpaquePointer, for number: UInt64) -> Bool {
    active.first { $0.number == number }?.presentCertificate(connection) ?? false
  }
}

let certificateCallback: transport_certificate_function = { context, exchange, connection in
  guard let context, let connection else { return false }
  return onLoop(context, (exchange, connection)) { (pool: ConnectionPool, handshake) in
    pool.presentCertificate(handshake.1, for: handshake.0)
  }
}

let alertCallback: transport_alert_function = { context, exchange, alert in
  guard let context else { return }
  onLoop(context, (exchange, alert)) { (pool: ConnectionPool, received) in
    pool.note(alert: received.1, for: received.0)
  }
}

extension CertificateRequest {
  /// Authorities that are looked at: servers that take the certificates of a whole directory name some hundred.
  private static let maximumIssuers = 1024

  /// Reads OpenSSL's `SSL` that has just been asked; nil when memory is short.
  fileprivate init?(_ connection: OpaquePointer) {
    var issuers: [DistinguishedName] = []
    for index in 0..<min(Int(transport_request_issuer_count(connection)), CertificateRequest.maximumIssuers) {
      guard let name = transport_request_issuer(connection, Int32(index)),
        let digest = Fingerprint(ofName: name)
      else { return nil }
      issuers.append(DistinguishedName(text: Certificate.text(ofName: name), digest: digest))
    }
    let bits = transport_request_key_types(connection)
    let kinds: [(transport_key_type, IdentityKeyType)] = [
      (TRANSPORT_KEY_RSA, .rsa), (TRANSPORT_KEY_EC, .ec), (TRANSPORT_KEY_ED25519, .ed25519),
      (TRANSPORT_KEY_ED448, .ed448),
    ]
    self.init(
      issuers: issuers, keyTypes: Set(kinds.filter { bits & $0.0.rawValue != 0 }.map(\.1)))
  }
}
