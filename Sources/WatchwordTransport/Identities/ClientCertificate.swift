internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// A server's wish for a client certificate in the middle of a handshake.
extension TransferSlot {
  /// Presents what the session says; if the handshake does not go on, the exchange's failure says why.
  fileprivate func presentCertificate(_ connection: OpaquePointer) -> Bool {
    guard let pool, let origin = exchange?.request?.url.origin else { return false }
    guard let request = CertificateRequest(connection) else { return false }
    switch pool.judge?.ruling(on: request, from: origin, in: pool.lane) {
    case .present(let identity):
      guard identity.present(connection) else {
        fail(.clientCertificateRefused(.certificateRefused))
        return false
      }
      return true
    case .presentNone, nil: return true
    case .ask:
      fail(.clientCertificateUndecided(request))
      return false
    }
  }
}

extension ConnectionPool {
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
