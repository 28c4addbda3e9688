internal import WatchwordPrimitives
internal import WatchwordVocabulary

extension ProtectionSpace {
  /// What one that is remembered takes beside the credentials: its texts, itself, and its place in a table.
  var heldBytes: Int {
    2 * HeldBytes.text(0) + HeldBytes.text(origin.host) + HeldBytes.text(realm?.count ?? 0)
  }

  /// What the question of a handshake takes: the certificates that the server has shown, or the authorities that it names.
  var questionBytes: Int {
    if let serverTrust { return serverTrust.certificates.reduce(0) { $0 + $1.heldBytes } }
    return certificateRequest?.issuers.reduce(0) { $0 + HeldBytes.text($1.text) + HeldBytes.text(0) } ?? 0
  }
}

extension Certificate {
  /// Bytes that it takes.
  fileprivate var heldBytes: Int {
    let texts = [subject, issuer, serialNumber] + subjectAlternativeNames
    // Its fingerprints are two more.
    return texts.reduce(HeldBytes.text(der.count) + 2 * HeldBytes.text(0)) { $0 + HeldBytes.text($1) }
  }
}
