package import WatchwordJSON

/// `agent/unlock`: opens what is locked with its passphrase.
package enum AgentUnlock {
  package static func write(isLocked: Bool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("locked", isLocked)
    writer.endObject()
  }
}
