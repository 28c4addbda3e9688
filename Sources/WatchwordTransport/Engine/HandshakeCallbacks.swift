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
