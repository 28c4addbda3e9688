internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordSecret

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

  var daemon = DaemonOptions()
  private var source = PassphraseSource(place: "lock")

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.newPassphrase()
    try daemon.connect().ask(Request.AgentLock(passphrase: passphrase))
    return .success
  }
}
