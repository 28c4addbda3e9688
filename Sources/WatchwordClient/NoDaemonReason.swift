package enum NoDaemonReason: Sendable {
  case startingForbidden
  /// `--socket` or `WATCHWORD_SOCKET` names another place than the user's own.
  case otherPlace
  /// No `watchwordd` beside this program or in `PATH`.
  case programNotFound
  /// It was started and ended before it was ready; with its output.
  case startFailed(output: String)
  case system(errno: Int32)

  /// Whether nothing was tried.
  package var forbidsStarting: Bool {
    switch self {
    case .startingForbidden, .otherPlace: true
    case .programNotFound, .startFailed, .system: false
    }
  }
}
