internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

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

  var daemon = DaemonTarget()
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

/// Formats an entry of the history for a person.
enum HistoryLine {
  static func text(of entry: Sent.HistoryEntry) -> String {
    var text = "\(entry.time) \(entry.outcome)"
    if let reason = entry.reason { text += " (\(reason))" }
    if let user = entry.user { text += " \(DisplayText.escaped(user))" }
    if let identity = entry.identity { text += " \(DisplayText.escaped(identity))" }
    if let origin = entry.origin { text += " at \(origin)" }
    if let method = entry.authenticationMethod { text += ", \(method)" }
    if let realm = entry.realm { text += " \"\(DisplayText.escaped(realm))\"" }
    if let field = entry.field { text += " \(DisplayText.escaped(field))" }
    if entry.isProxy { text += ", proxy" }
    if let process = entry.pid { text += ", for pid \(process)" }
    if !entry.asked.isEmpty { text += ", asked pid \(entry.asked.map { "\($0)" }.joined(separator: " "))" }
    if let process = entry.answeredBy { text += ", by pid \(process)" }
    if let because = entry.because { text += ", because \"\(DisplayText.escaped(because))\"" }
    text += ", session \(entry.session)"
    if let traceparent = entry.traceparent { text += ", traceparent \(DisplayText.escaped(traceparent))" }
    if entry.uses > 1 { text += ", \(entry.uses) times" }
    return text
  }
}
