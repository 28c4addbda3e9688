/// `watchword completions`: prints a script with which the shell completes command lines.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "print a completion script for bash"
  static let synopsis = ""
  static let about = "Prints a script with which bash completes commands and options."
  static let example = "source <(watchword completions)"
  static var options: [Option<CompletionsCommand>] { [] }

  var daemon = DaemonOptions()

  mutating func run() throws(Failure) -> ExitCode {
    StandardOutput.write(Completions.bash)
    return .success
  }
}
