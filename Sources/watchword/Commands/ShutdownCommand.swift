internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

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
    let reply = try daemon.connect().askReply(Request.ServerShutdown(graceful: isGraceful))
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    return .success
  }
}
