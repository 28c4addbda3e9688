internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword reload`: makes the daemon read its configuration again.
struct ReloadCommand: Command {
  static let name = "reload"
  static let summary = "reload the daemon's configuration"
  static let synopsis = "[options]"
  static let about = "Tells the daemon to read its configuration file again. Sessions and tasks continue."
  static let example = "watchword reload"
  static var options: [Option<ReloadCommand>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.ServerReload())
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    return .success
  }
}

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

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var isGraceful = true
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.ServerShutdown(graceful: isGraceful))
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    return .success
  }
}

/// `watchword restart`: after an upgrade, the new program serves with what sessions have in memory.
struct RestartCommand: Command {
  static let name = "restart"
  static let summary = "start the daemon's program again, with its sessions"
  static let synopsis = "[options]"
  static let about = """
    Starts the program of the daemon once more: after an upgrade, the new one. Sessions keep their passwords, decisions and
    cookies. Fetches that run finish first, for at most ten seconds. Where the new program does not start, nothing changes.
    """
  static let example = "watchword restart"
  static var options: [Option<RestartCommand>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.ServerRestart())
    // It is accepted by the next daemon.
    _ = try daemon.connect().askReply(Request.Ping())
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    return .success
  }
}
