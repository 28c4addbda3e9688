internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordSecret

/// `watchword vault init`: makes the vault.
struct VaultInitCommand: Command {
  static let name = "vault init"
  static let summary = "make the vault, which keeps things permanently"
  static let synopsis = "[options]"
  static let about = """
    Makes the vault, which keeps permanent credentials, decisions about certificates and identities, sealed.
    Without --passphrase it opens with a key in the keyring of the desktop session, or else with a key file
    beside it. With a passphrase it is locked when the daemon starts, until watchword unlock. The first thing
    to keep makes a vault without a passphrase by itself.
    """
  static let example = "watchword vault init --passphrase"
  static var options: [Option<VaultInitCommand>] {
    [Option(nil, "passphrase", "the vault opens with a passphrase") { $0.hasPassphrase = true }]
      + SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource()
  private var hasPassphrase = false

  mutating func run() throws(Failure) -> ExitCode {
    let isWanted = hasPassphrase || source.source.passwordDescriptor != nil
    let passphrase = isWanted ? try source.newPassphrase() : nil
    try daemon.connect().ask(Request.VaultInit(passphrase: passphrase))
    return .success
  }
}
