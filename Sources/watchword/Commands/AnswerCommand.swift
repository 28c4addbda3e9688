internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword answer`: replies to a challenge of another process.
struct AnswerCommand: Command {
  static let name = "answer"
  static let summary = "answer a pending challenge"
  static let synopsis = "[options] CHALLENGE"
  static let about = """
    Answers a challenge that "watchword challenges" lists, with a user and a password or a token: asked for
    on the terminal, or read from a descriptor or an askpass program. An empty user leaves it pending.
    """
  static let example = "watchword answer c7-5b1e90d2 --user reader --password-fd 3 3<password"

  static var options: [Option<AnswerCommand>] {
    [
      Option("u", "user", "USER", "the user, instead of being asked") { $0.user = $1 },
      Option(nil, "default", "go on as if nobody took challenges") {
        $0.dispositions.insert("performDefaultHandling")
      },
      Option(nil, "cancel", "let the waiting fetches fail") {
        $0.dispositions.insert("cancelAuthenticationChallenge")
      },
      Option(nil, "reject", "try the next offer of the server") {
        $0.dispositions.insert("rejectProtectionSpace")
      },
      Option(
        nil, "persistence", "WHICH", "keep it forSession (the default) or none",
        completion: .words(Persistence.forAnswers)
      ) { (answer, text) throws(Failure) in
        answer.persistence = try Persistence.checked(text, among: Persistence.forAnswers)
      },
      Option(nil, "json", "print the daemon's answer as JSON") { $0.isJSON = true },
    ] + SecretSource.options { $1(&$0.source) }
  }

  var daemon = DaemonOptions()
  private var challenge: String?
  private var user: String?
  private var dispositions: Set<String> = []
  private var persistence: String?
  private var source = SecretSource()
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard challenge == nil else { throw .usage("one challenge at a time, please") }
    challenge = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let identifier = challenge else {
      throw .usage("which challenge?", hint: "watchword challenges lists them")
    }
    guard dispositions.count <= 1 else {
      throw .usage("only one of --default, --cancel and --reject can be the answer")
    }
    let client = try daemon.connect()
    try SessionScope.openAll(client)
    let pending = try client.ask("challenge/describe") {
      $0.key("challenge")
      $0.string(identifier)
    }
    let answer = dispositions.isEmpty ? try self.answer(to: pending, client) : nil
    let (disposition, persistence) = (dispositions.first ?? "useCredential", persistence)
    let result = try client.ask("challenge/reply", reserving: (answer?.secret.count ?? 0) * 6) { writer in
      writer.key("challenge")
      writer.string(identifier)
      writer.key("disposition")
      writer.string(disposition)
      guard let answer else { return }
      writer.key("credential")
      CredentialText.write(to: &writer, user: answer.user, secret: answer.secret, persistence: persistence)
    }
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }

  private func answer(to pending: JSONValue, _ client: WatchwordClient) throws(Failure) -> Questioner.Answer {
    if let (secret, isToken) = try source.given() {
      if isToken { return Questioner.Answer(user: nil, secret: secret) }
      guard let user = user ?? pending["proposedCredential"]?["user"]?.text else {
        throw .usage("a password needs a user", hint: "name it with --user")
      }
      return Questioner.Answer(user: user, secret: secret)
    }
    guard let questioner = Questioner(askpass: source.askpass, user: user) else {
      throw Failure(
        "there is no terminal to ask on", hint: "--askpass PROGRAM or --password-fd NUMBER gives the secret",
        exitCode: .authenticationRefused)
    }
    guard let answer = try questioner.ask(about: pending) else {
      throw Failure("not answered, the challenge is still pending", exitCode: .authenticationRefused)
    }
    return answer
  }
}
