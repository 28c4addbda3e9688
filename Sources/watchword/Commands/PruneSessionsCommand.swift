internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword sessions prune`: ends the sessions that nobody uses.
struct PruneSessionsCommand: Command {
  static let name = "sessions prune"
  static let summary = "end sessions that nobody uses"
  static let synopsis = "[options]"
  static let about = """
    Ends your named sessions that were not used for an hour, with what they have in memory: no program holds \
    them, and no task runs. What is permanent stays. Prints their names.
    """
  static let example = "watchword sessions prune --older-than 86400"
  static var options: [Option<PruneSessionsCommand>] {
    [
      Option(nil, "older-than", "SECONDS", "not used for so long [3600]; 0: however short") {
        (command, text) throws(Failure) in
        command.seconds = try Number.limit(text, "--older-than") ?? 0
      },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions(mayStart: false, isStarter: false)
  private var seconds = SessionText.recentSeconds
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.SessionPrune(olderThanSeconds: seconds))
    StandardOutput.write(
      isJSON
        ? JSONText.of(reply.text) + "\n"
        : reply.result.sessions.map { DisplayText.escaped($0) + "\n" }.joined())
    return .success
  }
}
