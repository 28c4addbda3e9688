/// The exit status of the command; scripts rely on the numbers.
enum ExitCode: Int32, Error {
  case success = 0
  case failure = 1
  case usage = 2
  /// A server refused every credential, or a delegate cancelled the challenge.
  case authenticationRefused = 3
  /// The server's certificate was refused.
  case trustRefused = 4
  /// No daemon runs, and none could be started or was allowed to be.
  case noDaemon = 5
}
