internal import Glibc
internal import WatchwordOptions

/// Why the daemon does not serve: the line for a person, a hint what to do, and the exit status, as in our
/// other programs.
struct Failure: UsageFailure {
  let message: String
  let hint: String?
  let status: Int32

  /// The daemon cannot serve.
  init(_ message: String) {
    self.init(message, hint: nil, status: 1)
  }

  private init(_ message: String, hint: String?, status: Int32) {
    self.message = message
    self.hint = hint
    self.status = status
  }

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(message, hint: hint ?? Arguments.hint, status: 2)
  }

  /// Says it on standard error and ends the process.
  func exit() -> Never {
    report()
    Glibc.exit(status)
  }

  /// Says it on standard error.
  func report() {
    var text = "watchwordd: \(message)\n" + (hint.map { "hint: \($0)\n" } ?? "")
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
