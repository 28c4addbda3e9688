/// The limits of the daemon, each with its reason; `status` shows those that a caller can meet.
package enum Limits {
  /// One JSON message, in bytes. A larger body travels as a descriptor.
  package static let messageBytes = 1024 * 1024
  /// Unanswered requests of one connection.
  package static let requestsPerConnection = 1024
  /// One connection per process is enough; one uid cannot take all places of a host-wide daemon.
  package static let connectionsPerUID = 1024
  /// An idle one costs some 10 KiB and a descriptor.
  package static let connections = 4096
  /// Listening sockets of callers: each may hold a thread.
  package static let restrictedListeners = 64
  package static let restrictedListenersPerUID = 32
  /// Connections of one of them, and running tasks of one restriction: a command that floods its socket
  /// leaves its user room.
  package static let connectionsPerListener = 128
  package static let tasksPerRestriction = 1024
  /// Tasks of one uid that wait for an answer; each costs some KiB.
  package static let waitingTasks = 20_000
  /// Tasks in all, running and waiting.
  package static let tasks = 40_000
  /// Sessions of one uid.
  package static let sessionsPerUID = 4096
  /// Sessions of one uid that are named after their settings, before the one unused for longest makes room.
  package static let settingsSessionsPerUID = 64
  /// Requests, collected replies, sessions with what they keep, tasks and connections to servers of one uid
  /// together: a message or a reply bounds each of them, but not their number.
  package static let bytesPerUID = 268_435_456
  /// Connections of one uid, its messages that have not arrived in whole, and small replies of batches: they
  /// cannot be refused yet, or cost no more than a refusal, and take no room from the others.
  package static let reservedBytesPerUID = 134_217_728
  /// Connections of one uid that subscribe to the status; each is sent all of it.
  package static let statusSubscribersPerUID = 64
  /// Finished detached tasks that are kept, and for how long, for `task/describe`.
  package static let keptResults = 1024
  package static let keptResultSeconds = 600.0
  /// Bytes that one peer has not read before its transfers pause and its requests are left unread.
  package static let outgoingHighWater = 1024 * 1024
  /// Unread bytes after which another message drops the connection: only notifications come above the
  /// high-water mark.
  package static let outgoingBytes = 64 * 1024 * 1024
  /// A peer that reads nothing for this long while bytes wait is considered gone.
  package static let slowReaderSeconds = 60.0
  /// Received descriptors that no request has claimed yet.
  package static let unclaimedDescriptors = 64
  /// How long a graceful stop waits for running tasks.
  package static let gracefulStopSeconds = 10.0
  /// How long a stopping daemon waits until its last replies are read.
  package static let lastWordsSeconds = 1.0
  /// How long an idle daemon waits until the fleet's store has its changes; they survive a restart.
  package static let fleetWriteSeconds = 60.0
  /// Identities of one connection that are being read: each may keep a thread of the pool busy for a second.
  package static let identitiesInReading = 4
  /// Readings of the administrator's sources that run or wait; each may keep a thread busy for some seconds.
  package static let sourceReadings = 1024
  /// Longest part of a method's name that the error about it repeats, in bytes.
  package static let namedBytes = 256

  /// The limit that no other task may exceed; nil: there is room for one.
  ///
  /// - Parameters:
  ///   - count: of the tasks that there are.
  ///   - waiting: how many of the uid wait. There may be thousands of sessions: it is looked at only when that
  ///     can be too many.
  static func limitOfTasks(
    _ count: Int, waiting: @autoclosure () -> Int, isRestrictionFull: Bool
  ) -> String? {
    if count >= tasks { return "tasks" }
    if count >= waitingTasks, waiting() >= waitingTasks { return "waitingTasks" }
    return isRestrictionFull ? "tasksPerRestriction" : nil
  }
}
