internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

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

  var daemon = DaemonTarget()
  private var session: String?
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let name = session
    if name == nil { try SessionScope.openAll(client) }
    let list = try client.askReply(Request.ChallengeList(session: name))
    if isJSON {
      StandardOutput.write(JSONText.of(list.text) + "\n")
    } else if list.result.challenges.isEmpty {
      Diagnostics.tellPerson("no challenge is pending")
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

/// The challenge that `watchword answer` means when no id is given.
enum ChallengeChoice {
  /// How often a number that is not in the list is asked for again.
  private static let attempts = 3

  /// The only one, or the one that a person chooses.
  static func choose(_ client: WatchwordClient) throws(Failure) -> String {
    let pending = try client.ask(Request.ChallengeList()).challenges.compactMap(\.value)
    guard let first = pending.first else { throw Failure("no challenge is pending") }
    guard pending.count > 1 else { return first.challenge }
    guard let terminal = Terminal() else {
      throw .usage("\(pending.count) challenges are pending", hint: "watchword answer ID answers one of them")
    }
    for (index, challenge) in pending.enumerated() {
      terminal.show("\(index + 1)  \(ChallengeText.line(challenge))\n")
    }
    for _ in 0..<attempts {
      guard let line = try answer(of: terminal), !line.isEmpty else { break }
      if let number = Int(line), pending.indices.contains(number - 1) { return pending[number - 1].challenge }
    }
    throw Failure("none was chosen", exitCode: .authenticationRefused)
  }

  private static func answer(of terminal: borrowing Terminal) throws(Failure) -> String? {
    do throws(ClientError) {
      guard case .line(let line) = try terminal.ask("Which one? ", echo: true) else { return nil }
      return line.withBytes { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw Failure(error)
    }
  }
}
