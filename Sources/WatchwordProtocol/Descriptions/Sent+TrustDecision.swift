package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A decision about a server's certificate as `trust/list` shows it.
extension Sent.TrustDecision {
  /// A session's own.
  package init(_ entry: TrustStore.SessionDecision, now: Double, wallClock: Double) {
    let use = UseDescription(entry.record, now: now, wallClock: wallClock)
    self.init(
      String(entry.identifier), entry.decision,
      PermanentTrust.Subject(
        name: entry.subjectName, certificate: entry.certificate, publicKey: entry.publicKey),
      .forSession, uses: entry.record.uses, lastUsed: use.lastUsed, created: use.created,
      limits: entry.record.limits, secondsLeft: use.secondsLeft)
  }

  /// A permanent one.
  package init(_ entry: PermanentTrust.StoredDecision, _ usage: PermanentTrust.Usage) {
    self.init(
      entry.name, entry.decision, entry.subject, .permanent, uses: usage.count,
      lastUsed: usage.last.map(Timestamp.text), created: Timestamp.text(Double(entry.created)))
  }

  private init(
    _ identifier: String, _ decision: TrustDecision, _ subject: PermanentTrust.Subject,
    _ persistence: Persistence, uses: Int, lastUsed: String?, created: String,
    limits: CredentialLimits = CredentialLimits(), secondsLeft: Double? = nil
  ) {
    let scope: TrustScope =
      switch decision.subject {
      case .certificate: .certificate
      case .publicKey: .publicKey
      }
    self.init(
      trust: identifier, origin: decision.origin.description, subject: subject.name, scope: scope.rawValue,
      sha256: subject.certificate.hexadecimal, publicKey: subject.publicKey.pin,
      excused: decision.excused.inOrder.map(\.sent), persistence: persistence.rawValue, uses: uses,
      lastUsed: lastUsed, created: created, limits: limits.sentOfHandshake, secondsLeft: secondsLeft)
  }
}

extension ServerTrust {
  /// The certificates as presented and the verdict on them (challenges.md 2.9).
  var sent: Sent.ServerTrust {
    Sent.ServerTrust(
      certificates: certificates.map(\.sent), verdict: isTrusted ? "trusted" : "refused",
      reasons: faults.map(\.sent))
  }
}

extension TrustFault {
  package var sent: Sent.TrustReason { Sent.TrustReason(reason: reason.rawValue, depth: depth) }
}

extension Certificate {
  var sent: Sent.Certificate {
    Sent.Certificate(
      subject: subject, issuer: issuer, serialNumber: serialNumber, notBefore: Timestamp.text(notBefore),
      notAfter: Timestamp.text(notAfter), subjectAlternativeNames: subjectAlternativeNames, keyType: keyType,
      keyBits: keyBits, sha256: sha256.hexadecimal, publicKey: publicKey.pin, pem: pem)
  }
}

extension Certificate {
  /// As one of the user's certificate authorities.
  package var sentAsRoot: Sent.Root {
    Sent.Root(
      subject: subject, issuer: issuer, notBefore: Timestamp.text(notBefore),
      notAfter: Timestamp.text(notAfter), sha256: sha256.hexadecimal)
  }
}
