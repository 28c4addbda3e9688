/// `watchword completions`: what the shell needs to complete our command lines.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "a completion script for bash"
  static let synopsis = ""
  static let about = "Prints a script that lets bash complete commands and options."
  static let example = "source <(watchword completions)"
  static var options: [Option<CompletionsCommand>] { [] }

  var daemon = DaemonOptions()

  mutating func run() throws(Failure) -> ExitCode {
    StandardOutput.write(Completions.bash)
    return .success
  }
}
