package enum NoDaemonReason: Sendable {
  case startingForbidden
  /// No `watchwordd` beside this program or in `PATH`.
  case programNotFound
  /// It was started and ended before it was ready; with its output.
  case startFailed(output: String)
  case system(errno: Int32)
}
