package import WatchwordJSON

/// The result of `agent/lock` and `agent/unlock`.
package enum AgentLockState {
  package static func write(isLocked: Bool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("locked", isLocked)
    writer.endObject()
  }
}
