internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword unlock`: unlocks the agent, or opens the vault, with its passphrase.
struct UnlockCommand: Command {
  static let name = "unlock"
  static let summary = "unlock the agent or the vault with its passphrase"
  static let synopsis = "[options]"
  static let about = """
    Unlocks the agent with the passphrase of watchword lock. When the agent is not locked, opens a vault that
    has a passphrase, until the daemon ends or forgets it. After a wrong passphrase the next one is tried later.
    """
  static let example = "watchword unlock"
  static var options: [Option<UnlockCommand>] {
    SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource()

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    if source.isAsking, try client.ask("status")["locked"]?.flag == true { source.place = "lock" }
    let passphrase = try source.passphrase()
    try client.ask("agent/unlock") { writer in
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
    return .success
  }
}
