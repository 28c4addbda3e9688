package import WatchwordMessages

/// Why the daemon could not be called, or its error.
package enum ClientError: Error {
  /// No process listens at the path, and no daemon could be started or was allowed to be.
  case noDaemon(path: String, reason: NoDaemonReason)
  /// The process behind the socket belongs to another user, who could read every secret sent to it.
  case foreignDaemon(path: String, uid: UInt32)
  case connectionLost
  /// The received bytes are no message of the protocol.
  case unintelligible
  /// A message is not as the contract of this program describes it.
  case unreadable(ReadFault)
  /// A request larger than the daemon's limit cannot be sent.
  case refused(RemoteError)
}
