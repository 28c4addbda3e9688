internal import WatchwordClient
internal import WatchwordJSON

/// `watchword reload`: lets the daemon read its configuration again.
struct ReloadCommand: Command {
  static let name = "reload"
  static let summary = "let the daemon read its configuration again"
  static let synopsis = "[options]"
  static let about = "Lets the daemon read its configuration again; sessions and tasks go on."
  static let example = "watchword reload"
  static var options: [Option<ReloadCommand>] {
    [Option(nil, "json", "print the daemon's answer as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonOptions(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let result = try daemon.connect().ask("server/reload")
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }
}

/// `watchword shutdown`: ends the daemon.
struct ShutdownCommand: Command {
  static let name = "shutdown"
  static let summary = "end the daemon"
  static let synopsis = "[options]"
  static let about = "Ends the daemon when its tasks are done. What it kept in memory is forgotten."
  static let example = "watchword shutdown --now"
  static var options: [Option<ShutdownCommand>] {
    [
      Option(nil, "now", "do not wait for tasks") { $0.isGraceful = false },
      Option(nil, "json", "print the daemon's answer as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions(mayStart: false, isStarter: false)
  private var isGraceful = true
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let isGraceful = isGraceful
    let result = try daemon.connect().ask("server/shutdown") {
      $0.key("graceful")
      $0.bool(isGraceful)
    }
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }
}

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
