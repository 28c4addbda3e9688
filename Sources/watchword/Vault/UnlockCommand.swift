internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword unlock`: opens the vault with its passphrase.
struct UnlockCommand: Command {
  static let name = "unlock"
  static let summary = "open the vault with its passphrase"
  static let synopsis = "[options]"
  static let about = """
    Opens a vault that has a passphrase. It stays open until the daemon ends. After a wrong passphrase the
    next one is tried later.
    """
  static let example = "watchword unlock"
  static var options: [Option<UnlockCommand>] {
    SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource()

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.passphrase()
    try daemon.connect().ask("agent/unlock") { writer in
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
    return .success
  }
}
