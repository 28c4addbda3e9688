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
