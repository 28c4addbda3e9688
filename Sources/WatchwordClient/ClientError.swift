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

package enum NoDaemonReason: Sendable {
  case startingForbidden
  /// No `watchwordd` beside this program or in `PATH`.
  case programNotFound
  /// It was started and ended before it was ready; with what it said.
  case startFailed(output: String)
  case system(errno: Int32)
}
