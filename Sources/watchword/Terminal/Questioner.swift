internal import WatchwordMessages
internal import WatchwordVocabulary

/// Answers challenges by asking an askpass program if one is named, else the person at the terminal.
final class Questioner {
  /// The answer of the program or person.
  struct Answer {
    /// nil for a token and a passphrase.
    let user: String?
    let secret: Secret
    /// Whether it is the passphrase of the agent's lock.
    let isPassphrase: Bool

    init(user: String?, secret: Secret) {
      self.user = user
      self.secret = secret
      isPassphrase = false
    }

    init(passphrase: Secret) {
      user = nil
      secret = passphrase
      isPassphrase = true
    }

    /// Without a user the secret is a token.
    func credential(
      _ persistence: Persistence?, _ first: FirstRequest? = nil, prefix: String? = nil
    ) -> Request.Credential {
      if isPassphrase { return Request.Credential(passphrase: secret) }
      let isFirst = first.map { _ in true }
      guard let user else {
        return Request.Credential(
          persistence: persistence, preemptive: isFirst, limits: first?.limits, token: secret, prefix: prefix)
      }
      let isText = secret.isUTF8
      return Request.Credential(
        user: user, password: isText ? secret : nil, passwordBytes: isText ? nil : secret.base64,
        persistence: persistence, preemptive: isFirst, limits: first?.limits)
    }
  }

  /// What to do about a challenge without a question.
  private enum Unasked {
    case answer(Answer)
    case disposition(Disposition)
  }

  private enum QuestionEnd {
    case answer(Answer)
    case cancel
    case settledElsewhere
  }

  private let askpass: Askpass?
  private let terminal: Terminal?
  private let user: String?
  private let proxyUser: String?
  private let persistence: Persistence?
  /// What this program has chosen itself of the way to the servers.
  private let ownWays: [String]
  /// What a script gave for the origins.
  private let given: (secret: Secret, isToken: Bool)?
  /// Whether a server has refused it.
  private(set) var givenIsRefused = false
  /// Whether a server asked for it that it was not given for.
  private(set) var givenIsWithheld = false

  /// nil when there is neither program nor terminal.
  ///
  /// - Parameter user: who answers servers; nil: is asked for.
  /// - Parameter proxyUser: the same for proxies.
  init?(
    askpass program: String?, user: String?, proxyUser: String?, persistence: Persistence? = nil,
    given: (secret: Secret, isToken: Bool)? = nil, ownWays: [String] = []
  ) {
    if let program {
      askpass = Askpass(program: program)
      terminal = nil
    } else if let terminal = Terminal() {
      self.terminal = consume terminal
      askpass = nil
    } else {
      guard given != nil else { return nil }
      terminal = nil
      askpass = nil
    }
    self.given = given
    self.ownWays = ownWays
    self.user = user
    self.proxyUser = proxyUser
    self.persistence = persistence
  }

  /// Asks about a challenge and replies to it; returns a short text about the reply.
  ///
  /// When the daemon finds a reply unusable, it asks again: the challenge is still pending.
  ///
  /// - Parameter isAway: whether a redirect has led to another origin than that of the URL.
  func answer(
    _ challenge: Sent.Challenge, isAway: Bool = false, through client: WatchwordClient
  ) throws(ClientError) -> String {
    let identifier = challenge.challenge
    if let code = DeviceCode(challenge) {
      show(code)
      return "waits until a person has entered the code"
    }
    if wantsToken(challenge) {
      try ReplySender.send(.rejectProtectionSpace, to: challenge, through: client)
      return "rejected: it is for a token, and a user is named"
    }
    if isAnsweredFromOutside(challenge) {
      try ReplySender.send(.performDefaultHandling, to: challenge, through: client)
      return "answered with a stored credential"
    }
    switch unasked(challenge, isAway) {
    case .answer(let answer):
      CallersWayText.warn(
        challenge.callersWays.filter { !ownWays.contains($0) }, hostField: challenge.hostField)
      try reply(challenge, answer, client)
      return "answered with what was given"
    case .disposition(let disposition):
      try ReplySender.send(disposition, to: challenge, through: client)
      return "not answered: what was given does not fit, or was refused"
    case nil: break
    }
    // Held until the daemon has the reply: what it makes needless is not asked next.
    let isBegun = try terminal?.beginDialog { () throws(ClientError) in
      try client.stillAsks(about: identifier)
    }
    guard isBegun ?? true else { return "answered elsewhere" }
    defer { terminal?.endDialog() }
    while true {
      switch try ask(CredentialQuestion(challenge), identifier, client) {
      case .settledElsewhere: return "answered elsewhere"
      case .cancel:
        try ReplySender.cancel(challenge, through: client)
        return "cancelled"
      case .answer(let answer):
        do throws(ClientError) {
          try reply(challenge, answer, client)
          return "answered"
        } catch {
          guard case .refused(let remote) = error else { throw error }
          if remote.kind == .challengeNotPending { return "answered too late" }
          Diagnostics.report(Failure(remote))
          if askpass == nil, remote.kind == .credentialUnusable { continue }
          try ReplySender.cancel(challenge, through: client)
          return "cancelled"
        }
      }
    }
  }

  /// A given secret is sent to the origin of its URL only, for a challenge of its kind, and once: a server
  /// that has refused it may lock the account. Nil: a person or a program is asked.
  private func unasked(_ challenge: Sent.Challenge, _ isAway: Bool) -> Unasked? {
    guard let given else { return nil }
    let space = challenge.protectionSpace
    let isOther = isAway || space.isProxy || space.authenticationMethod == "agentUnlock"
    if isAway { givenIsWithheld = true }
    let fits = (space.authenticationMethod == "bearer") == given.isToken
    guard !isOther else { return canAsk ? nil : .disposition(.performDefaultHandling) }
    guard fits else { return .disposition(.rejectProtectionSpace) }
    guard challenge.previousFailureCount == 0, challenge.error == nil else {
      givenIsRefused = true
      return .disposition(.cancelAuthenticationChallenge)
    }
    let user = user(atProxy: space.isProxy) ?? challenge.proposedCredential?.user
    // A password without a user would go out as a token.
    guard given.isToken || user != nil else { return .disposition(.cancelAuthenticationChallenge) }
    return .answer(Answer(user: given.isToken ? nil : user, secret: given.secret))
  }

  private var canAsk: Bool { askpass != nil || terminal != nil }

  /// It settles itself: there is nothing to reply.
  func show(_ code: DeviceCode) {
    // Without a terminal, the program that gives secrets cannot show it.
    if terminal?.show(code.text) == nil { Diagnostics.write(code.text) }
  }

  /// Whether it asks for a token where a user was named: a password typed here would go out as one.
  private func wantsToken(_ challenge: Sent.Challenge) -> Bool {
    guard challenge.protectionSpace.authenticationMethod == "bearer" else { return false }
    return user(atProxy: challenge.protectionSpace.isProxy) != nil
      || challenge.proposedCredential?.source == "url"
  }

  /// Whether there is a permanent or synchronizable credential, or one of netrc, that the server has not
  /// refused: default handling uses it.
  private func isAnsweredFromOutside(_ challenge: Sent.Challenge) -> Bool {
    let proposed = challenge.proposedCredential
    let user = user(atProxy: challenge.protectionSpace.isProxy)
    // Whether a credential with the limit confirm is used is for the person to say.
    guard challenge.error?.kind != "confirmUse" else { return false }
    return ["netrc", "permanent", "synchronizable"].contains(proposed?.source)
      && challenge.previousFailureCount == 0
      && (user == nil || proposed?.user == user)
  }

  private func user(atProxy isProxy: Bool) -> String? { isProxy ? proxyUser : user }

  /// Whether a script gave the secret.
  var hasGiven: Bool { given != nil }

  /// What a script gave, or else the answer of a program or person, for a server that has not asked; nil
  /// without one.
  func answer(
    before origin: SpaceOptions.Origin, method: String, realm: String? = nil
  ) throws(Failure) -> Answer? {
    if let given { return Answer(user: given.isToken ? nil : user, secret: given.secret) }
    return try ask(CredentialQuestion(before: origin, method: method, realm: realm))
  }

  /// Asks without replying; nil without an answer.
  func ask(_ question: CredentialQuestion) throws(Failure) -> Answer? {
    do throws(ClientError) {
      guard case .answer(let answer) = try ask(question, "", nil) else { return nil }
      return answer
    } catch {
      throw Failure(error)
    }
  }

  private func ask(
    _ asked: CredentialQuestion, _ identifier: String, _ client: WatchwordClient?
  ) throws(ClientError) -> QuestionEnd {
    // A secret is in memory from here on: no core dump may contain it.
    CoreDumps.forbid()
    let question = QuestionText(asked, ownWays: ownWays)
    var user = user(atProxy: asked.isProxy)
    if let askpass {
      do throws(Failure) {
        guard let answer = try question.ask(askpass, user: user) else { return .cancel }
        return .answer(answer)
      } catch {
        Diagnostics.report(error)
        return .cancel
      }
    }
    let isWanted = { () throws(ClientError) -> Bool in
      try client?.stillAsks(about: identifier) ?? true
    }
    guard try terminal?.beginDialog(stillWanted: isWanted) ?? true else {
      return .settledElsewhere
    }
    defer { terminal?.endDialog() }
    terminal?.show(question.introduction)
    if question.wantsUser, user == nil {
      switch try terminal?.ask(
        question.userPrompt, echo: true, watching: client?.number ?? -1, stillWanted: isWanted)
      {
      case nil, .some(.none): return .cancel
      case .notWanted: return .settledElsewhere
      case .line(let line):
        // A user name is no secret.
        let typed = line.withBytes { String(decoding: $0, as: UTF8.self) }
        guard let chosen = typed.isEmpty ? question.proposedUser : typed else { return .cancel }
        user = chosen
      }
    }
    switch try terminal?.ask(
      question.secretPrompt(user), echo: false, takesOctets: question.wantsUser,
      watching: client?.number ?? -1, stillWanted: isWanted)
    {
    case nil, .some(.none): return .cancel
    case .notWanted: return .settledElsewhere
    case .line(let secret):
      if secret.isEmpty, !question.wantsUser { return .cancel }
      if question.isUnlock { return .answer(Answer(passphrase: secret)) }
      return .answer(Answer(user: question.wantsUser ? user : nil, secret: secret))
    }
  }

  private func reply(
    _ challenge: Sent.Challenge, _ answer: Answer, _ client: WatchwordClient
  ) throws(ClientError) {
    try ReplySender.send(
      .useCredential, answer.credential(persistence), to: challenge, through: client,
      reserving: answer.secret.count * 6)
  }
}
