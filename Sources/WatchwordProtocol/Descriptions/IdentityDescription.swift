package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// A client identity of a session or of its account as `identity/list` shows it: never its key.
package struct IdentityDescription {
  private let identity: Identity
  private let origin: Origin?
  private let persistence: Persistence
  private let use: UseDescription

  package init(_ entry: IdentityStore.Entry, now: Double, wallClock: Double) {
    (identity, origin, persistence) = (entry.identity, entry.origin, .forSession)
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
  }

  package init(_ entry: PermanentIdentities.Entry, now: Double, wallClock: Double) {
    (identity, origin, persistence) = (entry.identity, entry.origin, .permanent)
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("identity", identity.identifier)
    writer.member("origin", origin?.description)
    identity.certificate.writeMembers(to: &writer)
    writer.member("pkcs11", identity.token?.text)
    writer.member("chainLength", identity.chainLength)
    writer.member("persistence", persistence.rawValue)
    use.writeMembers(to: &writer)
    writer.endObject()
  }
}
