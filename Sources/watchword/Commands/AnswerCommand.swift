internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword answer`: replies to a challenge of another process.
struct AnswerCommand: Command {
  static let name = "answer"
  static let summary = "answer a pending challenge"
  static let synopsis = "[options] [CHALLENGE]"
  static let about = """
    Answers a challenge that "watchword challenges" lists; without an id the only one, or the one that you choose. The command reads a user and a password, or a
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
        $0.dispositions.insert(.performDefaultHandling)
      },
      Option(nil, "cancel", "cancel the waiting fetches") {
        $0.dispositions.insert(.cancelAuthenticationChallenge)
      },
      Option(nil, "reject", "try the next offer of the server") {
        $0.dispositions.insert(.rejectProtectionSpace)
      },
      Option(
        nil, "trust", "WHAT", "accept the certificate as shown, or the publicKey under any",
        completion: .words(Self.scopes)
      ) { (answer, text) throws(Failure) in
        guard let scope = TrustScope(rawValue: text) else {
          throw .usage("--trust is certificate or publicKey, not \(DisplayText.escaped(text))")
        }
        answer.scope = scope
      },
      Option(nil, "source", "NAME", "use what this source of the administrator's gives") { $0.named = $1 },
      Option(nil, "none", "continue without a password or a client certificate") { $0.isNone = true },
      Option(
        nil, "persistence", "WHICH",
        "forSession, none, permanent or synchronizable; with --trust none is the default",
        completion: .words(Persistence.words(Persistence.forAnswers))
      ) { (answer, text) throws(Failure) in
        answer.persistence = try Persistence.checked(text, among: Persistence.forAnswers)
      },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
    ] + CertificateAnswer.options { $1(&$0.certificate) } + KerberosOptions.options { $1(&$0.kerberos) }
      + SecretSource.options { $1(&$0.source) }
  }

  private static let scopes = ["certificate", "publicKey"]

  var daemon = DaemonTarget()
  private var scope: TrustScope?
  private var certificate = CertificateAnswer()
  private var kerberos = KerberosOptions()
  private var isNone = false
  private var named: String?
  private var challenge: String?
  private var user: String?
  private var dispositions: Set<Disposition> = []
  private var persistence: Persistence?
  private var source = SecretSource()
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard challenge == nil else { throw .usage("only one challenge is allowed") }
    challenge = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    let answers = [scope != nil, isNone, named != nil].filter { $0 }.count
    guard dispositions.count + certificate.count + kerberos.count + answers <= 1 else {
      throw .usage(
        "only one of --default, --cancel, --reject, --trust, --identity, --cert, --keytab, "
          + "--credential-cache, --source and --none can be the answer")
    }
    try certificate.check()
    let client = try daemon.connect()
    try SessionScope.openAll(client)
    let identifier = if let challenge { challenge } else { try ChallengeChoice.choose(client) }
    let described = try client.askReply(Request.ChallengeDescribe(challenge: identifier))
    let pending = described.result
    if isAsking, let code = DeviceCode(pending) {
      // The person answers at the page: it settles itself.
      StandardOutput.write(isJSON ? JSONText.of(described.text) + "\n" : code.text)
      return .success
    }
    let answer = try self.answer(to: pending, client)
    try speakForAll(pending, client)
    let replied = try reply(answer, to: pending, client)
    if isJSON { StandardOutput.write(JSONText.of(replied.text) + "\n") }
    return .success
  }

  /// Whether the options leave the answer to a person.
  private var isAsking: Bool {
    dispositions.isEmpty && scope == nil && !isNone && named == nil && !source.isGiven
      && certificate.count + kerberos.count == 0
  }

  private func reply(
    _ answer: ChallengeAnswer, to pending: Sent.Challenge, _ client: WatchwordClient
  ) throws(Failure) -> WatchwordClient.Reply<Sent.AcceptedReply> {
    if case .certificate(let giver) = answer {
      return try giver.answerOrFail(pending, persistence, through: client)
    }
    // Null says that there is none.
    let given: Request.Credential?? =
      answer.disposition == .useCredential ? .some(answer.credential(persistence)) : nil
    return try client.askReply(
      Request.ChallengeReply(
        challenge: pending.challenge, disposition: answer.disposition,
        credential: given),
      descriptors: answer.descriptors, reserving: answer.size)
  }

  /// Makes this process a session delegate, which speaks for all tasks; a mere holder speaks only for its
  /// own.
  private func speakForAll(_ pending: Sent.Challenge, _ client: WatchwordClient) throws(Failure) {
    // Trusted chains must raise no question because of this process.
    let isRefused = pending.protectionSpace.serverTrust?.verdict == "refused"
    let delegate = Request.Delegate(
      session: [pending.protectionSpace.authenticationMethod], trustVerdicts: isRefused ? "refused" : nil)
    try client.ask(Request.SessionOpen(name: pending.session, delegate: delegate))
  }

  private func answer(to pending: Sent.Challenge, _ client: WatchwordClient) throws(Failure)
    -> ChallengeAnswer
  {
    if let disposition = dispositions.first { return .disposition(disposition) }
    let method = pending.protectionSpace.authenticationMethod
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

  private func trustAnswer(to pending: Sent.Challenge) throws(Failure) -> ChallengeAnswer {
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
    case .once: return .trust(.certificate, Persistence.none)
    case .session: return .trust(.certificate, .forSession)
    case .always: return .trust(.certificate, .permanent)
    case .no: return .disposition(.cancelAuthenticationChallenge)
    case .nothing, .settledElsewhere:
      throw Failure("not answered, the challenge is still pending", exitCode: .trustRefused)
    }
  }

  private func credential(for pending: Sent.Challenge) throws(Failure) -> Questioner.Answer {
    let isUnlock = pending.protectionSpace.authenticationMethod == "agentUnlock"
    if let (secret, isToken) = try source.given(takesOctets: !isUnlock) {
      if isUnlock {
        return Questioner.Answer(passphrase: secret)
      }
      if isToken { return Questioner.Answer(user: nil, secret: secret) }
      guard let user = user ?? pending.proposedCredential?.user else {
        throw .usage("a password needs a user", hint: "name it with --user")
      }
      return Questioner.Answer(user: user, secret: secret)
    }
    if user != nil, pending.protectionSpace.authenticationMethod == "bearer" {
      throw .usage("the challenge is for a token, and --user means a user and a password")
    }
    guard let questioner = Questioner(askpass: source.askpass, user: user, proxyUser: user) else {
      throw Failure(
        "no terminal for the prompt", hint: "--askpass PROGRAM or --password-fd NUMBER gives the secret",
        exitCode: .authenticationRefused)
    }
    guard let answer = try questioner.ask(CredentialQuestion(pending)) else {
      throw Failure("not answered, the challenge is still pending", exitCode: .authenticationRefused)
    }
    return answer
  }
}
