internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The handshake of one connection: whether to accept the server's certificates, and what to present.
///
/// Lives as long as the connection, which calls it. A refusal fails the exchange that the connection is made
/// for; a handshake without an exchange is stopped, too.
@ReactorActor
final class Handshake {
  private weak var slot: TransferSlot?
  private let origin: Origin
  /// Whether the server is the origin's or the proxy; `origin` is that of this server.
  let hop: Hop
  /// Whether anything of the server has come.
  private var isHeard = false
  /// What is known of why the handshake failed.
  private(set) var fault: HandshakeFault?
  private var presentation: CertificatePresentation?
  /// There when a key in a token signs. Lives as long as the connection.
  private var signature: TokenSignature?
  private let counters: ConnectionCounters?

  init(for slot: TransferSlot, with origin: Origin, _ hop: Hop) {
    self.slot = slot
    self.origin = origin
    self.hop = hop
    counters = slot.pool?.counters
    counters?.secured += 1
  }

  isolated deinit { counters?.secured -= 1 }

  /// What the decisions about this hop are looked up by.
  private func partition(_ partition: ConnectionPartition) -> ConnectionPartition {
    hop == .proxy ? partition.proxy?.partition ?? partition : partition
  }

  private func fail(_ slot: TransferSlot, _ error: TransportError) {
    slot.fail(hop == .proxy ? .atProxy(error) : error)
  }

  /// Whether a connection that ends now was lost on its way through a tunnel: either side may have ended it.
  var isLost: Bool { hop == .origin && !isHeard }

  /// Nil when the exchange has ended.
  private var parties: (TransferSlot, ConnectionPool)? {
    guard let slot, let pool = slot.pool else { return nil }
    return (slot, pool)
  }

  /// The exchange has ended. The connection may continue, without retaining keys.
  func exchangeEnded() {
    slot = nil
    presentation = nil
  }

  // MARK: The server's certificates

  /// The step of the loop in which a chain was verified last.
  private static var lastVerified: UInt64?

  /// Whether no chain has been verified in this step: others have their turn between two. libcurl calls all
  /// handshakes in one whose timers are due, and each has one (RFC 8305), 200 ms after the connection was
  /// begun.
  var isItsTurn: Bool { Handshake.lastVerified != EventLoop.shared.steps }

  /// Whether the handshake continues with this chain.
  func accepts(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    Handshake.lastVerified = EventLoop.shared.steps
    guard let (slot, pool) = parties else { return false }
    switch ruling(on: chain, faults, pool) {
    case .accept:
      pool.resumptions.accept(chain, of: origin)
      return true
    case .refuse(let faults):
      fail(slot, .serverTrustRejected(faults))
      return false
    case .ask(let faults):
      let canBeAsked = pool.judge != nil
      let trust = canBeAsked ? PresentedChain(chain).flatMap { ServerTrust(chain, $0, faults: faults) } : nil
      fail(slot, trust.map { .serverTrustUndecided($0) } ?? .serverTrustRejected(faults))
      return false
    }
  }

  /// Whether a TLS session of this chain is resumed; if not, a full handshake follows.
  func resumes(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    Handshake.lastVerified = EventLoop.shared.steps
    guard let (_, pool) = parties else { return false }
    let isAnyOver = pool.resumptions.identitiesPresented(to: origin).contains {
      !(pool.judge?.mayStillPresent($0) ?? false)
    }
    return !isAnyOver && ruling(on: chain, faults, pool) == .accept
  }

  /// The chain would cost too much to be read: there is nothing to ask about.
  func noteComplexity() {
    guard let (slot, _) = parties else { return }
    fail(slot, .serverTrustRejected([TrustFault(reason: .tooComplex, depth: 0)]))
  }

  private func ruling(
    on chain: OpaquePointer, _ faults: [TrustFault], _ pool: ConnectionPool
  ) -> TrustStore.Ruling {
    guard let judge = pool.judge else { return faults.isEmpty ? .accept : .ask(faults) }
    // A chain that cannot be read is never accepted.
    guard let presented = PresentedChain(chain) else { return .ask(faults) }
    return judge.ruling(on: presented, with: faults, from: origin, at: hop, in: partition(pool.partition))
  }

  // MARK: The client's certificate

  /// Presents the session's choice; returns whether the handshake continues.
  func present(_ connection: OpaquePointer) -> Bool {
    guard let (slot, pool) = parties, let request = CertificateRequest(connection) else { return false }
    presentation = CertificatePresentation(request: request, identity: nil)
    // Over HTTP/2, every exchange that waits for this connection may share it.
    let isAsked = pool.active.contains {
      $0.exchange.setup.isAskedForIdentities && ($0.exchange.request.map(isWith) ?? false)
    }
    switch pool.judge?.ruling(on: request, from: origin, in: partition(pool.partition), isAsked: isAsked) {
    case .present(let identity):
      presentation?.identity = identity
      guard identity.present(connection) else {
        fail(slot, .clientCertificateRefused(.certificateRefused))
        return false
      }
      guard identity.signer == nil || awaitsSignature(of: identity, connection, pool) else {
        fail(slot, .other(code: Int32(CURLE_OUT_OF_MEMORY.rawValue)))
        return false
      }
      pool.resumptions.note(identity.identity.identifier, presentedTo: origin)
      return true
    case .presentNone, nil: return true
    case .ask:
      fail(slot, .clientCertificateUndecided(request))
      return false
    }
  }

  private func awaitsSignature(
    of identity: ClientIdentity, _ connection: OpaquePointer, _ pool: ConnectionPool
  ) -> Bool {
    signature = TokenSignature(of: identity, in: connection)
    if signature != nil { pool.signing.append(self) }
    return signature != nil
  }

  /// Attends to what the handshake has done on a stack of its own. Call it when libcurl has returned; false
  /// when the loop's stack does the rest.
  func attendToSignature() -> Bool {
    guard let signature, let (slot, _) = parties else { return false }
    if let alert = signature.takeAlert() { note(alert: alert) }
    if signature.isWanted {
      slot.takeOverConnectTimeout()
      signature.ask { [weak slot] in slot.map { $0.pool?.goOnLater($0) } }
    }
    return !signature.isOver
  }

  /// Ends a handshake that waits for a token. Call it before its connection is closed, outside of libcurl.
  func abandonSignature() { signature?.abandon() }

  /// Why the exchange failed, if due to the client certificate. On TLS 1.3 that is known only after the
  /// request has been written: the server has not processed it.
  var certificateRefusal: TransportError? {
    guard let (slot, _) = parties, let presentation else { return nil }
    if presentation.identity?.hasFailed ?? false { return .clientCertificateRefused(.tokenFailed) }
    guard presentation.isRefused else { return nil }
    guard presentation.identity != nil else { return .clientCertificateRefused(.certificateRequired) }
    guard slot.exchange.request != nil else { return nil }
    return slot.exchange.setup.isAskedForIdentities
      ? .clientCertificateUndecided(presentation.request) : .clientCertificateRefused(.certificateRefused)
  }

  /// Reports to the session that the origin refused the client certificate.
  func noteCertificateRefusal() {
    guard let (slot, pool) = parties, let presentation, presentation.isRefused,
      let identity = presentation.identity, !identity.hasFailed, slot.exchange.request != nil
    else { return }
    pool.judge?.refused(
      identity.identity.identifier, for: presentation.request, from: origin,
      in: partition(slot.exchange.setup.partition))
  }

  /// Whether this handshake is on the way of the request.
  private func isWith(_ request: ExchangeRequest) -> Bool {
    switch hop {
    case .origin: request.url.origin == origin
    case .proxy: request.proxy?.proxy.origin == origin
    }
  }

  // MARK: What the server sends

  func note(firstBytes header: UnsafeRawBufferPointer) {
    isHeard = true
    fault = HandshakeFault(firstBytes: header)
  }

  /// Takes a fatal alert, also after the handshake.
  func note(alert: Int32) {
    guard let (slot, _) = parties else { return }
    fault = fault ?? HandshakeFault(alert: alert)
    presentation?.note(alert: alert)
    guard hop == .origin, alert == SSL_AD_NO_APPLICATION_PROTOCOL else { return }
    slot.noteRefusalOfHTTP1(by: origin)
  }
}

/// What a server requested and which client certificate was presented.
struct CertificatePresentation {
  let request: CertificateRequest
  /// Nil: none.
  var identity: ClientIdentity?
  /// Whether the server has refused it.
  var isRefused = false

  /// Takes an alert by which servers refuse a certificate, or the lack of one: before TLS 1.3 such alerts say
  /// only that the handshake has failed (RFC 5246 §7.2.2, RFC 8446 §6.2).
  mutating func note(alert: Int32) {
    switch alert {
    case SSL_AD_HANDSHAKE_FAILURE, SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE,
      SSL_AD_CERTIFICATE_REVOKED, SSL_AD_CERTIFICATE_EXPIRED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_UNKNOWN_CA,
      SSL_AD_ACCESS_DENIED, SSL_AD_CERTIFICATE_REQUIRED:
      isRefused = true
    default: break
    }
  }
}

extension CertificateRequest {
  /// Authorities that are read: servers that accept the certificates of a whole directory name some hundred.
  private static let maximumIssuers = 1024

  /// Reads OpenSSL's `SSL` after a CertificateRequest; nil when out of memory.
  init?(_ connection: OpaquePointer) {
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
