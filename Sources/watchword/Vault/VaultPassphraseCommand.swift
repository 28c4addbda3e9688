internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordSecret

/// `watchword vault passphrase`: lets the vault open with a passphrase.
struct VaultPassphraseCommand: Command {
  static let name = "vault passphrase"
  static let summary = "open the vault with a passphrase from now on"
  static let synopsis = "[options]"
  static let about = """
    Gives the vault a passphrase, or another one. The key file beside it is removed, because it would make
    the passphrase useless. The vault is locked when the daemon starts, until watchword unlock. With
    --keep-others the key file opens it, too: keep it in another place, for a lost passphrase.
    """
  static let example = "watchword vault passphrase"
  static var options: [Option<VaultPassphraseCommand>] {
    [
      Option(nil, "keep-others", "what opens it without a person does so in future, too") {
        $0.keepsOthers = true
      }
    ]
      + SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource()
  private var keepsOthers = false

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.newPassphrase()
    try daemon.connect().ask(
      Request.VaultPassphrase(passphrase: passphrase, keepOthers: keepsOthers ? true : nil))
    return .success
  }
}
