internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The handshake of one connection: whether it goes on with what the server shows, and what it is presented with.
///
/// Lives as long as the connection, which calls back for it. What stops it is the failure of the exchange on whose
/// behalf the connection is made; a handshake for no exchange is stopped, too.
@ReactorActor
final class Handshake {
  private weak var slot: TransferSlot?
  private let origin: Origin
  private var presentation: CertificatePresentation?

  init(for slot: TransferSlot, with origin: Origin) {
    self.slot = slot
    self.origin = origin
  }

  /// Nil when the exchange has ended.
  private var parties: (TransferSlot, ConnectionPool)? {
    guard let slot, let pool = slot.pool else { return nil }
    return (slot, pool)
  }

  /// The exchange has ended. The connection may go on, without a hold on keys.
  func exchangeEnded() {
    slot = nil
    presentation = nil
  }

  // MARK: The server's certificates

  /// Whether the handshake goes on with this chain.
  func accepts(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    guard let (slot, pool) = parties else { return false }
    switch ruling(on: chain, faults, pool) {
    case .accept:
      pool.resumptions.accept(chain, of: origin)
      return true
    case .ask(let faults):
      let canBeAsked = pool.judge != nil
      let trust = canBeAsked ? PresentedChain(chain).flatMap { ServerTrust(chain, $0, faults: faults) } : nil
      slot.fail(trust.map { .serverTrustUndecided($0) } ?? .serverTrustRejected(faults))
      return false
    }
  }

  /// Whether a TLS session of this chain is resumed; if not, a whole handshake follows.
  func resumes(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    guard let (_, pool) = parties else { return false }
    let isAnyOver = pool.resumptions.identitiesPresented(to: origin).contains {
      !(pool.judge?.mayStillPresent($0) ?? false)
    }
    return !isAnyOver && ruling(on: chain, faults, pool) == .accept
  }

  private func ruling(
    on chain: OpaquePointer, _ faults: [TrustFault], _ pool: ConnectionPool
  ) -> TrustLedger.Ruling {
    guard let judge = pool.judge else { return faults.isEmpty ? .accept : .ask(faults) }
    // What cannot be read is not accepted by anybody.
    guard let presented = PresentedChain(chain) else { return .ask(faults) }
    return judge.ruling(on: presented, with: faults, from: origin, in: pool.partition)
  }

  // MARK: The client's certificate

  /// Presents what the session says; whether the handshake goes on.
  func present(_ connection: OpaquePointer) -> Bool {
    guard let (slot, pool) = parties, let request = CertificateRequest(connection) else { return false }
    presentation = CertificatePresentation(request: request, identity: nil)
    // Whoever waits for this connection may share it, over HTTP/2.
    let isAsked = pool.active.contains { slot in
      slot.exchange.request.map { $0.isAskedForIdentities && $0.url.origin == origin } ?? false
    }
    switch pool.judge?.ruling(on: request, from: origin, in: pool.partition, isAsked: isAsked) {
    case .present(let identity):
      presentation?.identity = identity
      guard identity.present(connection) else {
        slot.fail(.clientCertificateRefused(.certificateRefused))
        return false
      }
      pool.resumptions.note(identity.identity.identifier, presentedTo: origin)
      return true
    case .presentNone, nil: return true
    case .ask:
      slot.fail(.clientCertificateUndecided(request))
      return false
    }
  }

  /// Why the exchange failed, if it was for the client certificate. On TLS 1.3 that is known only when the request has
  /// been written: the server has not processed it.
  var certificateRefusal: TransportError? {
    guard let (slot, _) = parties, let presentation else { return nil }
    if presentation.identity?.hasFailed ?? false { return .clientCertificateRefused(.tokenFailed) }
    guard presentation.isRefused else { return nil }
    guard presentation.identity != nil else { return .clientCertificateRefused(.certificateRequired) }
    guard let request = slot.exchange.request else { return nil }
    return request.isAskedForIdentities
      ? .clientCertificateUndecided(presentation.request) : .clientCertificateRefused(.certificateRefused)
  }

  /// The exchange has failed for the client certificate: the session hears that the origin refuses it.
  func noteCertificateRefusal() {
    guard let (slot, pool) = parties, let presentation, presentation.isRefused,
      let identity = presentation.identity, !identity.hasFailed, let request = slot.exchange.request
    else { return }
    pool.judge?.refused(
      identity.identity.identifier, for: presentation.request, from: origin, in: request.partition)
  }

  // MARK: Alerts

  /// The server's, also when it comes behind the handshake.
  func note(alert: Int32) {
    guard let (slot, pool) = parties else { return }
    presentation?.note(alert: alert)
    guard alert == SSL_AD_NO_APPLICATION_PROTOCOL, pool.isHTTP1Only, let siblings = pool.siblings,
      siblings.avoidsHTTP2(slot.exchange)
    else { return }
    siblings.protocols.noteRefusalOfHTTP1(origin)
    slot.transfer.beginsAgain = true
  }
}
