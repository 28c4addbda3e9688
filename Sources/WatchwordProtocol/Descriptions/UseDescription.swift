package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// When a stored entry was given and used, and its limits, as lists show them.
package struct UseDescription {
  package let record: UseRecord
  package let secondsLeft: Double?
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?

  package init(_ record: UseRecord, now: Double, wallClock: Double) {
    self.record = record
    secondsLeft = record.expiry(now: now, wallClock: wallClock).map { max(0, $0 - now) }
    created = wallClock - (now - record.created)
    lastUsed = record.lastUsed.map { wallClock - (now - $0) }
  }

  /// Writes the members `limits`, `uses`, `lastUsed`, `created` and `secondsLeft`.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("limits")
    record.limits.write(to: &writer)
    writer.member("uses", record.uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.member("secondsLeft", secondsLeft)
  }
}

extension CredentialLimits {
  /// Writes the limits that are set.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let seconds = idleSeconds { writer.member("idleSeconds", seconds) }
    if let seconds = lifetimeSeconds { writer.member("lifetimeSeconds", seconds) }
    if let time = notAfter { writer.member("notAfter", Timestamp.text(time)) }
    if !pathPrefixes.isEmpty {
      writer.key("pathPrefixes")
      writer.strings(pathPrefixes)
    }
    if !methods.isEmpty {
      writer.key("methods")
      writer.strings(methods)
    }
    if let uses = maximumUses { writer.member("maximumUses", uses) }
    if confirm { writer.member("confirm", true) }
    writer.endObject()
  }
}
