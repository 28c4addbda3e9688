internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

/// Sends the daemon an identity from a file, and asks for the passphrase when its key needs one.
struct IdentityGiver {
  let file: IdentityFile
  /// The file's name, for the question.
  let name: String
  /// The program that asks instead of the terminal.
  let askpass: String?
  /// Given beforehand, so that no question is needed.
  let passphrase: Secret?
  /// The options that give the passphrase where there is no terminal.
  var hint = "--askpass PROGRAM or --password-fd NUMBER gives it"

  /// Adds it to a session; returns the identity's id.
  ///
  /// - Parameter persistence: nil: the session's.
  func give(
    to session: String?, _ persistence: Persistence? = nil, through client: WatchwordClient
  ) throws(Failure) -> String {
    try orFail { passphrase throws(ClientError) in
      let request = Request.IdentityAdd(
        session: session, identity: file.material(passphrase: passphrase), persistence: persistence)
      return try client.call(request, reserving: file.size).identity
    }
  }

  /// Replies to a challenge with it; nil when the person gave no passphrase.
  func answer(
    _ challenge: Sent.Challenge, _ persistence: Persistence?, through client: WatchwordClient
  ) throws(ClientError) -> Sent.AcceptedReply? {
    try offer { passphrase throws(ClientError) in
      try reply(challenge, persistence, passphrase, client).result
    }
  }

  /// The same for a command without other work; returns the daemon's result.
  func answerOrFail(
    _ challenge: Sent.Challenge, _ persistence: Persistence?, through client: WatchwordClient
  ) throws(Failure) -> WatchwordClient.Reply<Sent.AcceptedReply> {
    try orFail { passphrase throws(ClientError) in
      try reply(challenge, persistence, passphrase, client)
    }
  }

  private func reply(
    _ challenge: Sent.Challenge, _ persistence: Persistence?, _ passphrase: Secret?, _ client: WatchwordClient
  ) throws(ClientError) -> WatchwordClient.Reply<Sent.AcceptedReply> {
    let credential = IdentityReply.credential(.other(file.material(passphrase: passphrase)), persistence)
    return try ReplySender.send(
      .useCredential, credential, to: challenge, through: client, reserving: file.size)
  }

  // MARK: Passphrases

  private func orFail<Result>(
    _ send: (Secret?) throws(ClientError) -> Result
  ) throws(Failure) -> Result {
    let result: Result?
    do throws(ClientError) { result = try offer(send) } catch { throw Failure(error) }
    guard let result else {
      throw Failure(
        "the key of \(DisplayText.escaped(name)) needs its \(file.passphraseName)",
        hint: hint, exitCode: .authenticationRefused)
    }
    return result
  }

  /// Sends it, with the passphrase once the daemon has asked for it; nil when there is none.
  private func offer<Result>(
    _ send: (Secret?) throws(ClientError) -> Result
  ) throws(ClientError) -> Result? {
    var passphrase = passphrase
    for attempt in 0...file.attempts {
      do throws(ClientError) {
        return try send(passphrase)
      } catch {
        guard self.passphrase == nil, case .refused(let remote) = error, remote.wantsPassphrase else {
          throw error
        }
        if passphrase != nil { Diagnostics.report(Failure("the \(file.passphraseName) is wrong")) }
      }
      guard attempt < file.attempts, let answer = try ask() else { return nil }
      passphrase = answer
    }
    return nil
  }

  /// Nil when there is no terminal or program to ask, or the person gave none.
  private func ask() throws(ClientError) -> Secret? {
    CoreDumps.forbid()
    if let askpass {
      let prompt = AskpassPrompt(key: name)
      do throws(Failure) {
        return try Askpass(program: askpass).ask(prompt.passphrase(called: file.passphrasePrompt))
      } catch {
        Diagnostics.report(error)
        return nil
      }
    }
    let prompt = "\(file.passphrasePrompt) of \(DisplayText.escaped(name)): "
    guard let terminal = Terminal(), case .line(let line) = try terminal.ask(prompt, echo: false),
      !line.isEmpty
    else { return nil }
    return line
  }
}

extension RemoteError {
  fileprivate var wantsPassphrase: Bool {
    guard kind == .credentialUnusable else { return false }
    switch reason.flatMap(IdentityFault.init) {
    case .passphraseNeeded, .wrongPassphrase: return true
    default: return false
    }
  }
}
