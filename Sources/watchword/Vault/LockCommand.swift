internal import WatchwordMessages
internal import WatchwordVocabulary

/// `watchword lock`: locks the agent with a passphrase.
struct LockCommand: Command {
  static let name = "lock"
  static let summary = "lock the agent with a passphrase"
  static let synopsis = "[options]"
  static let about = """
    Locks the agent of the user with a passphrase of its own and clears its memory of secrets. Until watchword
    unlock, or until the user answers the prompt of a fetch with the passphrase, the agent shows nothing and
    sends nothing new. The lock ends with the daemon, and so does the daemon's memory.
    """
  static let example = "watchword lock"
  static var options: [Option<LockCommand>] {
    SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonTarget()
  private var source = PassphraseSource(place: "lock")

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.newPassphrase()
    try daemon.connect().ask(Request.AgentLock(passphrase: passphrase))
    return .success
  }
}

/// `watchword unlock`: unlocks the agent, or opens the vault, with its passphrase.
struct UnlockCommand: Command {
  static let name = "unlock"
  static let summary = "unlock the agent or the vault with its passphrase"
  static let synopsis = "[options]"
  static let about = """
    Unlocks the agent with the passphrase of watchword lock. When the agent is not locked, opens a vault that
    has a passphrase, until the daemon ends or forgets it. A vault whose key is in a keyring is opened with
    it, without a question. After a wrong passphrase the next one is tried later.
    """
  static let example = "watchword unlock"
  static var options: [Option<UnlockCommand>] {
    SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonTarget()
  private var source = PassphraseSource()

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    var given: Secret?
    if !source.isAsking { given = try source.passphrase() }
    // What another process unlocks on this terminal is not asked for again.
    let isBegun = try source.beginDialog()
    defer { if isBegun { TerminalTurn.end() } }
    switch try LockState(client) {
    case .agent:
      source.place = "lock"
      try unlock(client, given)
      switch try LockState(client) {
      case .vault: Diagnostics.hint("the vault is still locked: unlock again, with its passphrase")
      case .keyring(let reason): Diagnostics.hint("the vault is not open: \(DisplayText.escaped(reason))")
      case .agent, .nothing: break
      }
    case .vault: try unlock(client, given)
    // The keyring is asked again, and the passphrase not looked at.
    case .keyring: try unlock(client, given ?? Secret(Array("-".utf8)))
    case .nothing: Diagnostics.hint("nothing is locked")
    }
    return .success
  }

  /// - Parameter given: the passphrase; nil asks for it.
  private func unlock(_ client: WatchwordClient, _ given: Secret?) throws(Failure) {
    let passphrase: Secret
    if let given { passphrase = given } else { passphrase = try source.passphrase() }
    try client.ask(Request.AgentUnlock(passphrase: passphrase))
  }
}

/// `watchword forget`: clears the daemon's memory.
struct ForgetCommand: Command {
  static let name = "forget"
  static let summary = "clear the daemon's memory of secrets"
  static let synopsis = "[options]"
  static let about = """
    Clears the credentials, decisions, identities, cookies and tickets of all sessions of the user, and what
    the daemon has decrypted of the vault. The vault itself stays: with a key file it is read again when it is
    needed, with a passphrase after watchword unlock.
    """
  static let example = "watchword forget"
  static var options: [Option<ForgetCommand>] { [] }

  var daemon = DaemonTarget()

  mutating func run() throws(Failure) -> ExitCode {
    try daemon.connect().ask(Request.AgentForget())
    return .success
  }
}
