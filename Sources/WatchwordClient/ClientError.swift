/// Why the daemon could not be asked, or what it answered instead of a result.
package enum ClientError: Error {
  /// Nobody listens at the path, and nobody could or might be started.
  case noDaemon(path: String, reason: NoDaemonReason)
  /// The process behind the socket belongs to somebody else, who could read every secret sent to it.
  case foreignDaemon(path: String, uid: UInt32)
  case connectionLost
  /// What came is no message of the protocol.
  case unintelligible
  /// A request larger than the daemon's limit cannot be sent.
  case refused(RemoteError)
}
