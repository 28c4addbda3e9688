internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// Server trust in the middle of a handshake.
extension TransferSlot {
  /// Gives a new connection its roots and our verification, before its handshake.
  func installTrust(_ sslContext: UnsafeMutableRawPointer) -> CURLcode {
    guard let pool, let origin = exchange?.request?.url.origin else { return CURLE_ABORTED_BY_CALLBACK }
    let isAddress = URLHost.isAddress(origin.host)
    let requirements = pool.judge?.requirements(for: origin) ?? TrustPolicy.Requirements()
    let revocation: SessionConfiguration.Revocation =
      requirements.revocationCheck ? .required : pool.configuration.revocation
    let isInstalled = origin.host.withCString { host in
      var settings = transport_tls_settings(
        roots: pool.roots.store,
        rules: transport_evaluation(
          host: host, host_is_address: isAddress, revocation: revocation.rule, staple: nil,
          staple_length: 0),
        requires_tls13: requirements.minimumTLSVersion == .tls13,
        requires_forward_secrecy: requirements.forwardSecrecy, trust: trustCallback,
        certificate: certificateCallback, alert: alertCallback,
        context: Unmanaged.passUnretained(pool).toOpaque(), exchange: number)
      return transport_tls_install(sslContext, &settings)
    }
    return isInstalled ? CURLE_OK : CURLE_OUT_OF_MEMORY
  }

  /// Whether the handshake goes on; if not, the exchange's failure says why.
  fileprivate func judge(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    guard let pool, let origin = exchange?.request?.url.origin else { return false }
    guard let judge = pool.judge else {
      if !faults.isEmpty { fail(.serverTrustRejected(faults)) }
      return faults.isEmpty
    }
    guard let presented = PresentedChain(chain) else { return false }
    switch judge.ruling(on: presented, with: faults, from: origin, in: pool.lane) {
    case .accept: return true
    case .ask(let faults):
      let trust = ServerTrust(chain, presented, faults: faults)
      fail(trust.map { .serverTrustUndecided($0) } ?? .serverTrustRejected(faults))
      return false
    }
  }
}

extension SessionConfiguration.Revocation {
  fileprivate var rule: transport_revocation {
    switch self {
    case .off: TRANSPORT_REVOCATION_OFF
    case .stapled: TRANSPORT_REVOCATION_STAPLED
    case .required: TRANSPORT_REVOCATION_REQUIRED
    }
  }
}

extension ConnectionPool {
  /// The exchange on whose behalf the connection is made; a handshake for nobody is stopped.
  fileprivate func judge(_ chain: OpaquePointer, _ faults: [TrustFault], for number: UInt64) -> Bool {
    active.first { $0.number == number }?.judge(chain, faults) ?? false
  }
}

private let trustCallback: transport_trust_function = { context, exchange, chain, faults, count in
  guard let context, let chain else { return false }
  var found: [TrustFault] = []
  for fault in UnsafeBufferPointer(start: faults, count: Int(count)) {
    let typed = TrustFault(reason: TrustReason(verifyError: fault.error), depth: Int(fault.depth))
    if !found.contains(typed) { found.append(typed) }
  }
  return onLoop(context, (exchange, chain, found)) { (pool: ConnectionPool, handshake) in
    pool.judge(handshake.1, handshake.2, for: handshake.0)
  }
}
