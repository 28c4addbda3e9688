internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword credentials history`: what became of this user's credentials.
struct CredentialHistoryCommand: Command {
  static let name = "credentials history"
  static let summary = "show which credential went where, and who answered"
  static let synopsis = "[options]"
  static let about = """
    Lists what servers made of credentials, how challenges ended, and what restricted commands were refused,
    in all sessions of this user, newest first: time, outcome, user, place, the process that it was for, and
    the process that answered. Never a secret.
    """
  static let example = "watchword credentials history --origin https://intranet.example"

  static var options: [Option<CredentialHistoryCommand>] {
    [
      Option("n", "limit", "COUNT", "at most COUNT entries, up to 1024 [100]") {
        (settings, text) throws(Failure) in
        guard let limit = Int(text), limit > 0 else {
          throw .usage("--limit needs a number, not \(DisplayText.escaped(text))")
        }
        settings.limit = limit
      },
      Option(nil, "user", "NAME", "only of credentials of this user") { $0.user = $1 },
      Option(nil, "origin", "URL", "only of this scheme, host and port") { $0.origin = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  var daemon = DaemonOptions()
  private var limit: Int?
  private var user: String?
  private var origin: String?
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let reply = try client.askReply(Request.CredentialHistory(limit: limit, user: user, origin: origin))
    let entries = reply.result.entries
    if isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
    } else {
      StandardOutput.write(entries.map { HistoryLine.text(of: $0) + "\n" }.joined())
    }
    if entries.isEmpty { try LockState.explain(client, fromVault: false) }
    return .success
  }
}
