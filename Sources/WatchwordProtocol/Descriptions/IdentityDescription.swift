package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// A client identity of a session as `identity/list` shows it: never its key.
package struct IdentityDescription {
  package let entry: IdentityStore.Entry
  package let use: UseDescription

  package init(_ entry: IdentityStore.Entry, now: Double, wallClock: Double) {
    self.entry = entry
    use = UseDescription(entry.record, now: now, wallClock: wallClock)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("identity", entry.identity.identifier)
    writer.member("origin", entry.origin?.description)
    entry.identity.certificate.writeMembers(to: &writer)
    writer.member("pkcs11", entry.identity.token?.text)
    writer.member("chainLength", entry.identity.chainLength)
    writer.member("persistence", Persistence.forSession.rawValue)
    use.writeMembers(to: &writer)
    writer.endObject()
  }
}
