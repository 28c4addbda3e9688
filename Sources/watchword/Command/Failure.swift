internal import WatchwordClient
internal import WatchwordOptions

/// Why a command ends early: the line for a person, a hint what to do, and the exit status.
struct Failure: UsageFailure {
  let exitCode: ExitCode
  /// Lower case, without a full stop; nil when the error has already been printed.
  let message: String?
  let hint: String?

  init(_ message: String?, hint: String? = nil, exitCode: ExitCode = .failure) {
    self.message = message
    self.hint = hint
    self.exitCode = exitCode
  }

  /// The same, with this hint if it has none.
  func hinting(_ text: String?) -> Failure { Failure(message, hint: hint ?? text, exitCode: exitCode) }

  /// The same with another exit code.
  func ending(with code: ExitCode) -> Failure { Failure(message, hint: hint, exitCode: code) }

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(message, hint: hint, exitCode: .usage)
  }
}
