package import WatchwordCore
package import WatchwordJSON

/// A trust decision of a session as `trust/list` shows it.
package struct TrustDescription {
  package let entry: TrustLedger.Entry
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?

  package init(_ entry: TrustLedger.Entry, now: Double, wallClock: Double) {
    self.entry = entry
    created = wallClock - (now - entry.created)
    lastUsed = entry.lastUsed.map { wallClock - (now - $0) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("trust", String(entry.identifier))
    writer.member("origin", entry.decision.origin.description)
    writer.member("subject", entry.subjectName)
    switch entry.decision.subject {
    case .certificate:
      writer.member("scope", TrustScope.certificate.rawValue)
    case .publicKey:
      writer.member("scope", TrustScope.publicKey.rawValue)
    }
    writer.member("sha256", entry.certificate.hexadecimal)
    writer.member("publicKey", entry.publicKey.pin)
    writer.key("excused")
    TrustFault.write(
      entry.decision.excused.sorted { ($0.depth, $0.reason.rawValue) < ($1.depth, $1.reason.rawValue) },
      to: &writer)
    writer.member("persistence", Persistence.forSession.rawValue)
    writer.member("uses", entry.uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.endObject()
  }
}
