internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// Server trust in the middle of a handshake.
extension TransferSlot {
  /// Gives a new connection its roots and our verification, before its handshake.
  func installTrust(_ sslContext: UnsafeMutableRawPointer) -> CURLcode {
    guard let pool, let host = exchange?.request?.url.origin.host else { return CURLE_ABORTED_BY_CALLBACK }
    let isAddress = URLHost.isAddress(host)
    let isInstalled = host.withCString { host in
      var settings = transport_tls_settings(
        roots: pool.roots.store,
        rules: transport_evaluation(host: host, host_is_address: isAddress), trust: trustCallback,
        context: Unmanaged.passUnretained(pool).toOpaque(), exchange: number)
      return transport_tls_install(sslContext, &settings)
    }
    return isInstalled ? CURLE_OK : CURLE_OUT_OF_MEMORY
  }
}

extension ConnectionPool {
  /// Whether a chain with these faults is accepted for the exchange on whose behalf the connection is made.
  ///
  /// The place where a session's trust decisions will be looked up: until then default evaluation decides,
  /// and what it finds is kept for the error.
  func judgeChain(for number: UInt64, _ faults: [TrustFault]) -> Bool {
    guard !faults.isEmpty else { return true }
    active.first { $0.number == number }?.transfer.trustFaults = faults
    return false
  }
}

private let trustCallback: transport_trust_function = { context, exchange, _, faults, count in
  guard let context else { return false }
  var found: [TrustFault] = []
  for fault in UnsafeBufferPointer(start: faults, count: Int(count)) {
    let typed = TrustFault(reason: TrustReason(verifyError: fault.error), depth: Int(fault.depth))
    if !found.contains(typed) { found.append(typed) }
  }
  return onLoop(context, (exchange, found)) { (pool: ConnectionPool, verdict) in
    pool.judgeChain(for: verdict.0, verdict.1)
  }
}
