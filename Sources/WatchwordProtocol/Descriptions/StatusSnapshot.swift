package import WatchwordCore
package import WatchwordJSON

/// `status`: one snapshot of the daemon, limited to what the peer may see.
package struct StatusSnapshot {
  package let version: String
  package let pid: Int32
  package let uptimeSeconds: Double
  package let socket: String
  package let residentBytes: Int64
  /// Whether the agent of the caller's uid is locked.
  package let isLocked: Bool
  package let suspendLock: SuspendWatch.State
  package let vault: VaultDescription
  /// The administrator's; empty for other accounts than the daemon's and root.
  package let sources: [SourceDescription]
  /// Nil when it is not configured.
  package let synchronization: SynchronizationDescription?
  /// As JSON text: many peers are shown the same ones.
  package let sessions: [[UInt8]]
  package let challenges: [[UInt8]]
  /// The newest entries, newest first.
  package let history: [HistoryEntry]
  package let counters: [(name: String, value: Int)]
  /// Each limit and its current use; nil where the use is not counted.
  package let limits: [(name: String, value: Int, used: Int?)]

  package init(
    version: String, pid: Int32, uptimeSeconds: Double, socket: String, residentBytes: Int64,
    isLocked: Bool, suspendLock: SuspendWatch.State, vault: VaultDescription, sources: [SourceDescription],
    synchronization: SynchronizationDescription?, sessions: [[UInt8]],
    challenges: [[UInt8]],
    history: [HistoryEntry],
    counters: [(name: String, value: Int)], limits: [(name: String, value: Int, used: Int?)]
  ) {
    self.version = version
    self.pid = pid
    self.uptimeSeconds = uptimeSeconds
    self.socket = socket
    self.residentBytes = residentBytes
    self.isLocked = isLocked
    self.suspendLock = suspendLock
    self.vault = vault
    self.sources = sources
    self.synchronization = synchronization
    self.sessions = sessions
    self.challenges = challenges
    self.history = history
    self.counters = counters
    self.limits = limits
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("version", version)
    writer.member("pid", Int(pid))
    writer.seconds("uptimeSeconds", uptimeSeconds)
    writer.member("socket", socket)
    writer.member("residentBytes", residentBytes)
    writer.member("locked", isLocked)
    writer.member("suspendLock", suspendLock.rawValue)
    writer.key("vault")
    vault.write(to: &writer)
    writer.key("sources")
    writer.beginArray()
    for source in sources { source.write(to: &writer) }
    writer.endArray()
    writer.key("synchronization")
    if let synchronization { synchronization.write(to: &writer) } else { writer.null() }
    writer.key("sessions")
    writer.beginArray()
    for session in sessions { writer.raw(session) }
    writer.endArray()
    writer.key("challenges")
    writer.beginArray()
    for challenge in challenges { writer.raw(challenge) }
    writer.endArray()
    writer.key("history")
    writer.beginArray()
    for entry in history { entry.write(to: &writer) }
    writer.endArray()
    writer.key("counters")
    writer.integers(counters)
    writer.key("limits")
    writer.integers(limits.map { ($0.name, $0.value) })
    writer.key("usage")
    writer.integers(limits.compactMap { limit in limit.used.map { (limit.name, $0) } })
    writer.endObject()
  }
}
