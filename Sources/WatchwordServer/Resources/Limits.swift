/// The bounds of the daemon, each with its reason; those that a caller can meet are in `status`.
package enum Limits {
  /// One JSON message, in bytes. A larger body travels as a descriptor.
  package static let messageBytes = 1024 * 1024
  /// Requests of one connection that are not answered yet.
  package static let requestsPerConnection = 1024
  /// One connection a process is enough; nobody takes all the places of a host-wide daemon.
  package static let connectionsPerUID = 1024
  /// An idle one costs some 10 KiB and a descriptor.
  package static let connections = 4096
  /// Tasks that wait for an answer; each costs some KiB.
  package static let waitingTasks = 20_000
  /// Tasks in all, running and waiting.
  package static let tasks = 40_000
  /// Sessions of one uid.
  package static let sessionsPerUID = 4096
  /// Request ids, bodies and header fields, replies that are collected, configurations and credentials of sessions of one uid together:
  /// each is bounded by a message or a reply, but not their number.
  package static let bytesPerUID = 268_435_456
  /// Connections of one uid that are told of changes of the status; each is sent all of it.
  package static let statusSubscribersPerUID = 64
  /// Finished detached tasks that are kept, and for how long, for `task/describe`.
  package static let keptResults = 1024
  package static let keptResultSeconds = 600.0
  /// Bytes that wait to be read by one peer before its transfers pause.
  package static let outgoingHighWater = 1024 * 1024
  /// Bytes that wait, after which another message drops the connection; two inline bodies of the default size fit.
  package static let outgoingBytes = 64 * 1024 * 1024
  /// A peer that reads nothing for so long while something waits has gone away.
  package static let slowReaderSeconds = 60.0
  /// Descriptors that came and were not claimed yet.
  package static let unclaimedDescriptors = 64
  /// How long a graceful stop waits for running tasks.
  package static let gracefulStopSeconds = 10.0
  /// How long the last replies of a daemon that stops may take to be read.
  package static let lastWordsSeconds = 1.0
  /// Identities of one connection that are being read: each may keep a thread of the pool busy for a second.
  package static let identitiesInReading = 4
  /// Bytes of a method's name that the error about it repeats.
  package static let namedBytes = 256
}
