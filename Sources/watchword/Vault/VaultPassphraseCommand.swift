internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword vault passphrase`: lets the vault open with a passphrase.
struct VaultPassphraseCommand: Command {
  static let name = "vault passphrase"
  static let summary = "open the vault with a passphrase from now on"
  static let synopsis = "[options]"
  static let about = """
    Gives the vault a passphrase, or another one. The key file beside it is removed, because it would make
    the passphrase useless. The vault is locked when the daemon starts, until watchword unlock.
    """
  static let example = "watchword vault passphrase"
  static var options: [Option<VaultPassphraseCommand>] {
    SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource()

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.newPassphrase()
    try daemon.connect().ask("vault/passphrase") { writer in
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
    return .success
  }
}
