package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A trust decision as `trust/list` shows it: a session's own, or a permanent one.
package struct TrustDescription: Describing {
  package let identifier: String
  package let decision: TrustDecision
  package let subject: PermanentTrust.Subject
  package let persistence: Persistence
  package let uses: Int
  /// As on the wire.
  package let created: String
  package let lastUsed: String?
  private var limits = CredentialLimits()
  private var secondsLeft: Double?

  package init(_ entry: TrustStore.Entry, now: Double, wallClock: Double) {
    identifier = String(entry.identifier)
    decision = entry.decision
    subject = PermanentTrust.Subject(
      name: entry.subjectName, certificate: entry.certificate, publicKey: entry.publicKey)
    persistence = .forSession
    let use = UseDescription(entry.record, now: now, wallClock: wallClock)
    uses = use.record.uses
    created = use.created
    lastUsed = use.lastUsed
    limits = use.record.limits
    secondsLeft = use.secondsLeft
  }

  package init(_ entry: PermanentTrust.Entry, _ usage: PermanentTrust.Usage) {
    identifier = entry.name
    decision = entry.decision
    subject = entry.subject
    persistence = .permanent
    uses = usage.count
    created = Timestamp.text(Double(entry.created))
    lastUsed = usage.last.map(Timestamp.text)
  }

  package var sent: Sent.TrustDecision {
    Sent.TrustDecision(
      trust: identifier, origin: decision.origin.description, subject: subject.name, scope: scope.rawValue,
      sha256: subject.certificate.hexadecimal, publicKey: subject.publicKey.pin,
      excused: decision.excused.inOrder.map(\.sent), persistence: persistence.rawValue, uses: uses,
      lastUsed: lastUsed, created: created, limits: limits.sentOfHandshake, secondsLeft: secondsLeft)
  }

  private var scope: TrustScope {
    switch decision.subject {
    case .certificate: .certificate
    case .publicKey: .publicKey
    }
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

extension TrustFault: Describing {
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

/// The user's certificate authorities as `status` shows them.
package struct RootsDescription: Sendable, Describing {
  package let path: String?
  package let count: Int
  /// Why the file is not used, for a person.
  package let reason: String?

  package init(path: String?, count: Int, reason: String?) {
    self.path = path
    self.count = count
    self.reason = reason
  }

  package var sent: Sent.RootsStatus { Sent.RootsStatus(path: path, count: count, reason: reason) }
}

extension Certificate {
  /// As one of the user's certificate authorities.
  package var sentAsRoot: Sent.Root {
    Sent.Root(
      subject: subject, issuer: issuer, notBefore: Timestamp.text(notBefore),
      notAfter: Timestamp.text(notAfter), sha256: sha256.hexadecimal)
  }
}
