package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What the daemon is doing.
  package struct StatusSnapshot: SentObject {
    package let version: String
    package let pid: Int
    package let uptimeSeconds: Double
    package let socket: String
    /// The daemon's memory.
    package let residentBytes: Int
    /// What is kept for callers: the sum over all uids of what bytesPerUid and reservedBytesPerUid count.
    /// Memory files are not resident, and count.
    package let countedBytes: Int
    /// Whether the agent of the caller's uid is locked (storage.md 9.11); then sessions and history show
    /// nothing of it.
    package let locked: Bool
    /// Whether agents lock before the machine sleeps (storage.md 9.11.14, 9.11.16).
    package let suspendLock: String
    /// The vault of the caller's uid: its state, what opens it, and how much it keeps (administrator.md
    /// 7.2.12).
    package let vault: Sent.VaultStatus
    /// The certificate authorities of the caller's uid (challenges.md 10.14).
    package let roots: Sent.RootsStatus
    /// The administrator's sources of credentials (administrator.md 15.3.9); empty for other uids than the
    /// daemon's own and root.
    package let sources: [Sent.SourceStatus]
    /// The store of the fleet; null when none is configured.
    package let synchronization: Sent.SynchronizationStatus?
    /// Those of the caller's uid; root sees all.
    package let sessions: [Encoded<Sent.SessionStatus>]
    /// Pending ones that the caller is entitled to: those of sessions that it holds.
    package let challenges: [Encoded<Sent.Challenge>]
    /// How long the oldest pending challenge of `sessions` has waited for a reply; null without one.
    package let oldestChallengeSeconds: Double?
    /// The last 16 entries of credential/history (storage.md 7.3.2).
    package let history: [Sent.HistoryEntry]
    package let counters: [(name: String, value: Int)]
    /// How long tasks took, with the time in which they waited for replies.
    package let taskSeconds: Sent.Histogram
    /// How long challenges waited for the reply that was accepted.
    package let replySeconds: Sent.Histogram
    package let limits: [(name: String, value: Int)]
    /// How much of a limit is in use, by its name.
    package let usage: [(name: String, value: Int)]

    package init(
      version: String, pid: Int, uptimeSeconds: Double, socket: String, residentBytes: Int, countedBytes: Int,
      locked: Bool, suspendLock: String, vault: Sent.VaultStatus, roots: Sent.RootsStatus,
      sources: [Sent.SourceStatus], synchronization: Sent.SynchronizationStatus?,
      sessions: [Encoded<Sent.SessionStatus>], challenges: [Encoded<Sent.Challenge>],
      oldestChallengeSeconds: Double?, history: [Sent.HistoryEntry], counters: [(name: String, value: Int)],
      taskSeconds: Sent.Histogram, replySeconds: Sent.Histogram, limits: [(name: String, value: Int)],
      usage: [(name: String, value: Int)]
    ) {
      self.version = version
      self.pid = pid
      self.uptimeSeconds = uptimeSeconds
      self.socket = socket
      self.residentBytes = residentBytes
      self.countedBytes = countedBytes
      self.locked = locked
      self.suspendLock = suspendLock
      self.vault = vault
      self.roots = roots
      self.sources = sources
      self.synchronization = synchronization
      self.sessions = sessions
      self.challenges = challenges
      self.oldestChallengeSeconds = oldestChallengeSeconds
      self.history = history
      self.counters = counters
      self.taskSeconds = taskSeconds
      self.replySeconds = replySeconds
      self.limits = limits
      self.usage = usage
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("version", version)
      writer.member("pid", pid)
      writer.seconds("uptimeSeconds", uptimeSeconds)
      writer.member("socket", socket)
      writer.member("residentBytes", residentBytes)
      writer.member("countedBytes", countedBytes)
      writer.member("locked", locked)
      writer.member("suspendLock", suspendLock)
      writer.member("vault", vault)
      writer.member("roots", roots)
      writer.member("sources", sources)
      writer.member("synchronization", synchronization)
      writer.member("sessions", sessions)
      writer.member("challenges", challenges)
      writer.seconds("oldestChallengeSeconds", oldestChallengeSeconds)
      writer.member("history", history)
      writer.member("counters", counters)
      writer.member("taskSeconds", taskSeconds)
      writer.member("replySeconds", replySeconds)
      writer.member("limits", limits)
      writer.member("usage", usage)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      version = try object.member("version")
      pid = try object.member("pid")
      uptimeSeconds = try object.member("uptimeSeconds")
      socket = try object.member("socket")
      residentBytes = try object.member("residentBytes")
      countedBytes = try object.member("countedBytes")
      locked = try object.member("locked")
      suspendLock = try object.member("suspendLock")
      vault = try object.member("vault")
      roots = try object.member("roots")
      sources = try object.member("sources")
      synchronization = try object.member("synchronization")
      sessions = try object.member("sessions")
      challenges = try object.member("challenges")
      oldestChallengeSeconds = try object.member("oldestChallengeSeconds")
      history = try object.member("history")
      counters = try object.pairs("counters")
      taskSeconds = try object.member("taskSeconds")
      replySeconds = try object.member("replySeconds")
      limits = try object.pairs("limits")
      usage = try object.pairs("usage")
    }
  }
}
