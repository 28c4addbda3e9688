internal import WatchwordJSON
/// `watchword shutdown`: ends the daemon.
struct ShutdownCommand: Command {
  static let name = "shutdown"
  static let summary = "stop the daemon"
  static let synopsis = "[options]"
  static let about = "Stops the daemon when its tasks have finished. Everything in its memory is lost."
  static let example = "watchword shutdown --now"
  static var options: [Option<ShutdownCommand>] {
    [
      Option(nil, "now", "do not wait for tasks") { $0.isGraceful = false },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
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
