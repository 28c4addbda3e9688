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
