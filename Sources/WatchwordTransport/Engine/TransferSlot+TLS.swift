internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

extension TransferSlot {
  /// The one that this exchange has opened and that is open. Connection attempts that lost the race are
  /// closed when a handshake begins.
  var openedSocket: Int32? { transfer.sockets.last { pool?.sockets[$0]?.isOpen($0) ?? false } }

  /// Gives a new connection its roots and our verification, before its handshake.
  func installTrust(_ sslContext: UnsafeMutableRawPointer) -> CURLcode {
    guard let pool, let (origin, hop) = nextHandshake() else { return CURLE_ABORTED_BY_CALLBACK }
    let isAddress = URLHost.isAddress(origin.host)
    let requirements = pool.judge?.requirements(for: origin) ?? TrustPolicy.Requirements()
    let wanted = pool.configuration.revocation
    let revocation = requirements.revocationCheck ? wanted.withCheck : wanted
    let entry = pool.resumptions.entry(of: origin)
    let handshake = Handshake(for: self, with: origin, hop)
    transfer.handshake?.exchangeEnded()
    transfer.handshake = handshake
    let isInstalled = origin.host.withCString { host in
      var settings = transport_tls_settings(
        roots: pool.roots.store,
        rules: transport_evaluation(
          host: host, host_is_address: isAddress, revocation: revocation.rule, staple: nil,
          staple_length: 0),
        requires_tls13: requirements.minimumTLSVersion == .tls13,
        requires_forward_secrecy: requirements.forwardSecrecy, resumption: entry?.resumption,
        guard: pool.guardState, is_proxy: hop == .proxy, socket: openedSocket ?? -1,
        trust: HandshakeCallbacks.trust, certificate: HandshakeCallbacks.certificate,
        alert: HandshakeCallbacks.alert, heard: HandshakeCallbacks.heard, turn: HandshakeCallbacks.turn,
        complex: HandshakeCallbacks.complex, release: HandshakeCallbacks.release,
        context: Unmanaged.passRetained(handshake).toOpaque())
      return transport_tls_install(sslContext, &settings)
    }
    return isInstalled ? CURLE_OK : CURLE_OUT_OF_MEMORY
  }
}

extension TransferSlot {
  /// The origin does not take HTTP/1.1 alone: the exchange begins again where HTTP/2 is offered, if it may
  /// use that.
  func noteRefusalOfHTTP1(by origin: Origin) {
    guard let pool, pool.isHTTP1Only, let siblings = pool.siblings, siblings.avoidsHTTP2(exchange)
    else { return }
    siblings.protocols.noteRefusalOfHTTP1(origin)
    transfer.beginsAgain = true
  }

  /// The server of the next handshake of the connection that is being made: an HTTPS proxy first.
  private func nextHandshake() -> (Origin, Hop)? {
    guard let request = exchange.request else { return nil }
    guard let proxy else { return (request.url.origin, .origin) }
    proxy.handshakes += 1
    if proxy.hop.proxy.type == .https, proxy.handshakes == 1 { return (proxy.hop.proxy.origin, .proxy) }
    noteTunnel()
    return isRunning ? (request.url.origin, .origin) : nil
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
