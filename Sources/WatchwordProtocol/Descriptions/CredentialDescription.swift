package import WatchwordCore
package import WatchwordJSON

/// A credential as `credential/list` shows it: never a secret.
package struct CredentialDescription {
  package let credential: CachedCredential
  package let secondsLeft: Double?
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?

  package init(_ credential: CachedCredential, now: Double, wallClock: Double) {
    self.credential = credential
    secondsLeft = credential.expiry(now: now, wallClock: wallClock).map { max(0, $0 - now) }
    created = wallClock - (now - credential.created)
    lastUsed = credential.lastUsed.map { wallClock - (now - $0) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("protectionSpace")
    credential.space.writeIdentity(to: &writer)
    writer.member("user", credential.credential.user)
    writer.member("kind", credential.credential.user == nil ? "token" : "password")
    writer.member("persistence", credential.credential.persistence.rawValue)
    writer.member("isDefault", credential.isDefault)
    writer.member("source", "session")
    writer.key("limits")
    writeLimits(to: &writer)
    writer.member("uses", credential.uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.member("secondsLeft", secondsLeft)
    writer.endObject()
  }

  private func writeLimits(to writer: inout JSONWriter) {
    let limits = credential.credential.limits
    writer.beginObject()
    if let seconds = limits.idleSeconds { writer.member("idleSeconds", seconds) }
    if let seconds = limits.lifetimeSeconds { writer.member("lifetimeSeconds", seconds) }
    if let time = limits.notAfter { writer.member("notAfter", Timestamp.text(time)) }
    if !limits.pathPrefixes.isEmpty {
      writer.key("pathPrefixes")
      writer.strings(limits.pathPrefixes)
    }
    if !limits.methods.isEmpty {
      writer.key("methods")
      writer.strings(limits.methods)
    }
    if let uses = limits.maximumUses { writer.member("maximumUses", uses) }
    if limits.confirm { writer.member("confirm", true) }
    writer.endObject()
  }
}
