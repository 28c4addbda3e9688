package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// A trust decision as `trust/list` shows it: a session's own, or a permanent one.
package struct TrustDescription {
  package let identifier: String
  package let decision: TrustDecision
  package let subject: PermanentTrust.Subject
  package let persistence: Persistence
  package let uses: Int
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?
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
    created = Double(entry.created)
    lastUsed = usage.last
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("trust", identifier)
    writer.member("origin", decision.origin.description)
    writer.member("subject", subject.name)
    switch decision.subject {
    case .certificate:
      writer.member("scope", TrustScope.certificate.rawValue)
    case .publicKey:
      writer.member("scope", TrustScope.publicKey.rawValue)
    }
    writer.member("sha256", subject.certificate.hexadecimal)
    writer.member("publicKey", subject.publicKey.pin)
    writer.key("excused")
    TrustFault.write(decision.excused.inOrder, to: &writer)
    writer.member("persistence", persistence.rawValue)
    writer.member("uses", uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.key("limits")
    limits.write(to: &writer)
    writer.member("secondsLeft", secondsLeft)
    writer.endObject()
  }
}
