internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordSecret

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

  var daemon = DaemonOptions()
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
