internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// Server trust in the middle of a handshake.
extension TransferSlot {
  /// Gives a new connection its roots and our verification, before its handshake.
  func installTrust(_ sslContext: UnsafeMutableRawPointer) -> CURLcode {
    guard let pool, let origin = exchange.request?.url.origin else { return CURLE_ABORTED_BY_CALLBACK }
    let isAddress = URLHost.isAddress(origin.host)
    let requirements = pool.judge?.requirements(for: origin) ?? TrustPolicy.Requirements()
    let wanted = pool.configuration.revocation
    let revocation = requirements.revocationCheck ? wanted.withCheck : wanted
    let entry = pool.resumptions.entry(of: origin)
    // Attempts that lost the race are closed by now.
    let openedSocket = transfer.sockets.last { pool.sockets[$0]?.isOpen($0) ?? false }
    let isInstalled = origin.host.withCString { host in
      var settings = transport_tls_settings(
        roots: pool.roots.store,
        rules: transport_evaluation(
          host: host, host_is_address: isAddress, revocation: revocation.rule, staple: nil,
          staple_length: 0),
        requires_tls13: requirements.minimumTLSVersion == .tls13,
        requires_forward_secrecy: requirements.forwardSecrecy, resumption: entry?.resumption,
        guard: pool.guardState, socket: openedSocket ?? -1,
        trust: trustCallback,
        certificate: certificateCallback, alert: alertCallback,
        context: Unmanaged.passUnretained(pool).toOpaque(), exchange: number)
      return transport_tls_install(sslContext, &settings)
    }
    return isInstalled ? CURLE_OK : CURLE_OUT_OF_MEMORY
  }

  /// Whether the handshake goes on; if not, the exchange's failure says why.
  fileprivate func judge(_ chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    guard let pool, let origin = exchange.request?.url.origin else { return false }
    switch pool.ruling(on: chain, faults, from: origin) {
    case .accept:
      pool.resumptions.accept(chain, of: origin)
      return true
    case .ask(let faults):
      let canBeAsked = pool.judge != nil
      let trust = canBeAsked ? PresentedChain(chain).flatMap { ServerTrust(chain, $0, faults: faults) } : nil
      fail(trust.map { .serverTrustUndecided($0) } ?? .serverTrustRejected(faults))
      return false
    }
  }

  /// Whether a TLS session of this chain is resumed; if not, a whole handshake follows.
  fileprivate func judgeResumption(of chain: OpaquePointer, _ faults: [TrustFault]) -> Bool {
    guard let pool, let origin = exchange.request?.url.origin else { return false }
    let isAnyOver = pool.resumptions.identitiesPresented(to: origin).contains {
      !(pool.judge?.mayStillPresent($0) ?? false)
    }
    return !isAnyOver && pool.ruling(on: chain, faults, from: origin) == .accept
  }
}

extension SessionConfiguration.Revocation {
  fileprivate var rule: transport_revocation {
    switch self {
    case .off: TRANSPORT_REVOCATION_OFF
    case .stapled: TRANSPORT_REVOCATION_STAPLED
    case .required: TRANSPORT_REVOCATION_REQUIRED
    case .stapleRequired: TRANSPORT_REVOCATION_STAPLE_REQUIRED
    }
  }
}

extension ConnectionPool {
  fileprivate func ruling(
    on chain: OpaquePointer, _ faults: [TrustFault], from origin: Origin
  ) -> TrustLedger.Ruling {
    guard let judge else { return faults.isEmpty ? .accept : .ask(faults) }
    // What cannot be read is not accepted by anybody.
    guard let presented = PresentedChain(chain) else { return .ask(faults) }
    return judge.ruling(on: presented, with: faults, from: origin, in: partition)
  }

  /// The exchange on whose behalf the connection is made; a handshake for nobody is stopped.
  fileprivate func slot(_ number: UInt64) -> TransferSlot? { active.first { $0.number == number } }
}

private let trustCallback: transport_trust_function = {
  context, exchange, chain, faults, count, isResumption in
  guard let context, let chain else { return false }
  var found: [TrustFault] = []
  for fault in UnsafeBufferPointer(start: faults, count: Int(count)) {
    let typed = TrustFault(reason: TrustReason(verifyError: fault.error), depth: Int(fault.depth))
    if !found.contains(typed) { found.append(typed) }
  }
  return onLoop(context, (exchange, chain, found)) { (pool: ConnectionPool, handshake) in
    let slot = pool.slot(handshake.0)
    return isResumption
      ? slot?.judgeResumption(of: handshake.1, handshake.2) ?? false
      : slot?.judge(handshake.1, handshake.2) ?? false
  }
}
