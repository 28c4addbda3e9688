internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword challenges`: lists pending challenges.
struct ChallengesCommand: Command {
  static let name = "challenges"
  static let summary = "list pending challenges"
  static let synopsis = "[options]"
  static let about =
    "Lists the pending challenges of your named sessions: origin, method, waiting processes, deadline."
  static let example = "watchword challenges --session reports"

  static var options: [Option<ChallengesCommand>] {
    [
      Option(nil, "session", "NAME", "only this session") { $0.session = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
  private var session: String?
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let name = session
    if name == nil { try SessionScope.openAll(client) }
    let list = try client.askReply(Request.ChallengeList(session: name))
    if isJSON {
      StandardOutput.write(JSONText.of(list.text) + "\n")
    } else {
      StandardOutput.write(
        list.result.challenges.compactMap(\.value).map {
          ChallengeText.brief($0)
            + "  answer it with: watchword answer \(DisplayText.escaped($0.challenge))\n"
        }.joined())
    }
    return .success
  }
}
