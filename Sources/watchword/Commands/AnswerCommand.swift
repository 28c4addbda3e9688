internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword answer`: replies to a challenge of another process.
struct AnswerCommand: Command {
  static let name = "answer"
  static let summary = "answer a pending challenge"
  static let synopsis = "[options] CHALLENGE"
  static let about = """
    Answers a challenge that "watchword challenges" lists. The command reads a user and a password, or a
    token, from the terminal, a descriptor or an askpass program. An empty user leaves it pending.
    For a server's certificates, answer once, session, always or no on the terminal, or use --trust. For a
    client certificate, answer with a number, a file, a pkcs11: URI, none or cancel, or use --identity,
    --cert or --none. The reply serves every fetch that waits.
    """
  static let example = "watchword answer c7-5b1e90d2 --user reader --password-fd 3 3<password"

  static var options: [Option<AnswerCommand>] {
    [
      Option("u", "user", "USER", "the user; without it the command asks") { $0.user = $1 },
      Option(nil, "default", "continue as without a delegate") {
        $0.dispositions.insert("performDefaultHandling")
      },
      Option(nil, "cancel", "cancel the waiting fetches") {
        $0.dispositions.insert("cancelAuthenticationChallenge")
      },
      Option(nil, "reject", "try the next offer of the server") {
        $0.dispositions.insert("rejectProtectionSpace")
      },
      Option(
        nil, "trust", "WHAT", "accept the certificate as shown, or the publicKey under any",
        completion: .words(Self.scopes)
      ) { (answer, text) throws(Failure) in
        guard scopes.contains(text) else {
          throw .usage("--trust is certificate or publicKey, not \(DisplayText.escaped(text))")
        }
        answer.scope = text
      },
      Option(nil, "source", "NAME", "use what this source of the administrator's gives") { $0.named = $1 },
      Option(nil, "none", "continue without a password or a client certificate") { $0.isNone = true },
      Option(
        nil, "persistence", "WHICH",
        "forSession, none, permanent or synchronizable; with --trust none is the default",
        completion: .words(Persistence.forAnswers)
      ) { (answer, text) throws(Failure) in
        answer.persistence = try Persistence.checked(text, among: Persistence.forAnswers)
      },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
    ] + CertificateAnswer.options { $1(&$0.certificate) } + KerberosOptions.options { $1(&$0.kerberos) }
      + SecretSource.options { $1(&$0.source) }
  }

  private static let scopes = ["certificate", "publicKey"]

  var daemon = DaemonOptions()
  private var scope: String?
  private var certificate = CertificateAnswer()
  private var kerberos = KerberosOptions()
  private var isNone = false
  private var named: String?
  private var challenge: String?
  private var user: String?
  private var dispositions: Set<String> = []
  private var persistence: String?
  private var source = SecretSource()
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard challenge == nil else { throw .usage("only one challenge is allowed") }
    challenge = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let identifier = challenge else {
      throw .usage("the id of the challenge is missing", hint: "watchword challenges lists them")
    }
    let answers = [scope != nil, isNone, named != nil].filter { $0 }.count
    guard dispositions.count + certificate.count + kerberos.count + answers <= 1 else {
      throw .usage(
        "only one of --default, --cancel, --reject, --trust, --identity, --cert, --keytab, "
          + "--credential-cache, --source and --none can be the answer")
    }
    try certificate.check()
    if scope == nil, let persistence {
      _ = try Persistence.checked(persistence, among: Persistence.forAnswers)
    }
    let client = try daemon.connect()
    try SessionScope.openAll(client)
    let pending = try client.ask("challenge/describe") {
      $0.key("challenge")
      $0.string(identifier)
    }
    if isAsking, let code = DeviceCode(pending) {
      // The person answers at the page: it settles itself.
      StandardOutput.write(isJSON ? JSONText.of(pending) + "\n" : code.text)
      return .success
    }
    let answer = try self.answer(to: pending, client)
    try speakForAll(pending, client)
    let result = try reply(answer, to: pending, client)
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }

  /// Whether the options leave the answer to a person.
  private var isAsking: Bool {
    dispositions.isEmpty && scope == nil && !isNone && named == nil && !source.isGiven
      && certificate.count + kerberos.count == 0
  }

  private func reply(
    _ answer: ChallengeAnswer, to pending: JSONValue, _ client: WatchwordClient
  ) throws(Failure) -> JSONValue {
    if case .certificate(let giver) = answer {
      return try giver.answerOrFail(pending, persistence, through: client)
    }
    let persistence = persistence
    return try client.ask("challenge/reply", descriptors: answer.descriptors, reserving: answer.size) {
      writer in
      writer.key("challenge")
      writer.string(pending["challenge"]?.text ?? "")
      writer.key("disposition")
      answer.write(to: &writer, persistence: persistence)
    }
  }

  /// Makes this process a session delegate, which speaks for all tasks; a mere holder speaks only for its own.
  private func speakForAll(_ pending: JSONValue, _ client: WatchwordClient) throws(Failure) {
    let space = pending["protectionSpace"] ?? .null
    guard let session = pending["session"]?.text, let method = space["authenticationMethod"]?.text else {
      return
    }
    try client.ask("session/open") { writer in
      writer.key("name")
      writer.string(session)
      writer.key("delegate")
      writer.beginObject()
      writer.key("session")
      writer.beginArray()
      writer.string(method)
      writer.endArray()
      if space["serverTrust"]?["verdict"]?.text == "refused" {
        // Trusted chains must raise no question because of this process.
        writer.key("trustVerdicts")
        writer.string("refused" as StaticString)
      }
      writer.endObject()
    }
  }

  private func answer(to pending: JSONValue, _ client: WatchwordClient) throws(Failure) -> ChallengeAnswer {
    if let disposition = dispositions.first { return .disposition(disposition) }
    let method = pending["protectionSpace"]?["authenticationMethod"]?.text
    if scope != nil, method != "serverTrust" {
      throw .usage("--trust answers only a challenge about a server's certificates")
    }
    if certificate.count > 0, method != "clientCertificate" {
      throw .usage("--identity and --cert answer only a challenge for a client certificate")
    }
    if let file = try kerberos.file(user: user) {
      guard method == "negotiate" else {
        throw .usage("--keytab and --credential-cache answer only a challenge of negotiate")
      }
      return .kerberos(file)
    }
    if let named { return .source(named) }
    switch method {
    case "serverTrust":
      guard !isNone else { throw .usage("--none cannot answer a challenge about a server's certificates") }
      if let scope { return .trust(scope, nil) }
      return try trustAnswer(to: pending)
    case _ where isNone: return .none
    case "clientCertificate": return try certificate.answer(to: pending, source, through: client)
    default: return .credential(try credential(for: pending))
    }
  }

  private func trustAnswer(to pending: JSONValue) throws(Failure) -> ChallengeAnswer {
    guard let question = TrustQuestion() else {
      throw Failure(
        "no terminal for the prompt", hint: "--trust certificate accepts it, --cancel refuses it",
        exitCode: .trustRefused)
    }
    let choice: TrustQuestion.Choice
    do throws(ClientError) { choice = try question.ask(about: pending, through: nil) } catch {
      throw Failure(error)
    }
    switch choice {
    case .once: return .trust("certificate", "none")
    case .session: return .trust("certificate", "forSession")
    case .always: return .trust("certificate", "permanent")
    case .no: return .disposition("cancelAuthenticationChallenge")
    case .nothing, .settledElsewhere:
      throw Failure("not answered, the challenge is still pending", exitCode: .trustRefused)
    }
  }

  private func credential(for pending: JSONValue) throws(Failure) -> Questioner.Answer {
    if let (secret, isToken) = try source.given() {
      if pending["protectionSpace"]?["authenticationMethod"]?.text == "agentUnlock" {
        return Questioner.Answer(passphrase: secret)
      }
      if isToken { return Questioner.Answer(user: nil, secret: secret) }
      guard let user = user ?? pending["proposedCredential"]?["user"]?.text else {
        throw .usage("a password needs a user", hint: "name it with --user")
      }
      return Questioner.Answer(user: user, secret: secret)
    }
    guard let questioner = Questioner(askpass: source.askpass, user: user, proxyUser: user) else {
      throw Failure(
        "no terminal for the prompt", hint: "--askpass PROGRAM or --password-fd NUMBER gives the secret",
        exitCode: .authenticationRefused)
    }
    guard let answer = try questioner.ask(about: pending) else {
      throw Failure("not answered, the challenge is still pending", exitCode: .authenticationRefused)
    }
    return answer
  }
}
