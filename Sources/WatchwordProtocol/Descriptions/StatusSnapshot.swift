package import WatchwordCore
internal import WatchwordJSON
package import WatchwordMessages

/// `status`: one snapshot of the daemon, limited to what the peer may see.
package struct StatusSnapshot: Describing {
  package let version: String
  package let pid: Int32
  package let uptimeSeconds: Double
  package let socket: String
  package let residentBytes: Int64
  /// What is kept for callers of all uids.
  package let countedBytes: Int
  /// Whether the agent of the caller's uid is locked.
  package let isLocked: Bool
  package let suspendLock: SuspendWatch.State
  package let vault: VaultDescription
  package let roots: RootsDescription
  /// The administrator's; empty for other accounts than the daemon's and root.
  package let sources: [SourceDescription]
  /// Nil when it is not configured.
  package let synchronization: SynchronizationDescription?
  /// Many peers are shown the same ones.
  package let sessions: [Encoded<Sent.SessionStatus>]
  package let challenges: [Encoded<Sent.Challenge>]
  /// Nil without a pending challenge of the sessions.
  package let oldestChallengeSeconds: Double?
  /// The newest entries, newest first.
  package let history: [HistoryEntry]
  package let counters: [(name: String, value: Int)]
  package let taskTimes: Histogram
  package let replyTimes: Histogram
  /// Each limit and its current use; nil where the use is not counted.
  package let limits: [(name: String, value: Int, used: Int?)]

  package init(
    version: String, pid: Int32, uptimeSeconds: Double, socket: String, residentBytes: Int64,
    countedBytes: Int,
    isLocked: Bool, suspendLock: SuspendWatch.State, vault: VaultDescription, roots: RootsDescription,
    sources: [SourceDescription],
    synchronization: SynchronizationDescription?, sessions: [Encoded<Sent.SessionStatus>],
    challenges: [Encoded<Sent.Challenge>], oldestChallengeSeconds: Double?, history: [HistoryEntry],
    counters: [(name: String, value: Int)], taskTimes: Histogram, replyTimes: Histogram,
    limits: [(name: String, value: Int, used: Int?)]
  ) {
    self.version = version
    self.pid = pid
    self.uptimeSeconds = uptimeSeconds
    self.socket = socket
    self.residentBytes = residentBytes
    self.countedBytes = countedBytes
    self.isLocked = isLocked
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
    self.taskTimes = taskTimes
    self.replyTimes = replyTimes
    self.limits = limits
  }

  package var sent: Sent.StatusSnapshot {
    Sent.StatusSnapshot(
      version: version, pid: Int(pid), uptimeSeconds: uptimeSeconds, socket: socket,
      residentBytes: Int(residentBytes), countedBytes: countedBytes, locked: isLocked,
      suspendLock: suspendLock.rawValue,
      vault: vault.sent, roots: roots.sent,
      sources: sources.map(\.sent), synchronization: synchronization?.sent, sessions: sessions,
      challenges: challenges, oldestChallengeSeconds: oldestChallengeSeconds, history: history.map(\.sent),
      counters: counters, taskSeconds: taskTimes.sent, replySeconds: replyTimes.sent,
      limits: limits.map { ($0.name, $0.value) },
      usage: limits.compactMap { limit in limit.used.map { (limit.name, $0) } })
  }
}

extension Histogram {
  var sent: Sent.Histogram { Sent.Histogram(bounds: bounds, counts: counts, sum: sum) }
}
