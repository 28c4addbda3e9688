internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

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

  var daemon = DaemonTarget()
  private var source = PassphraseSource()
  private var hasPassphrase = false

  mutating func run() throws(Failure) -> ExitCode {
    let isWanted = hasPassphrase || source.source.passwordDescriptor != nil
    let passphrase = isWanted ? try source.newPassphrase() : nil
    try daemon.connect().ask(Request.VaultInit(passphrase: passphrase))
    return .success
  }
}

/// `watchword vault check`: reads the whole vault.
struct VaultCheckCommand: Command {
  static let name = "vault check"
  static let summary = "check the vault's file and records"
  static let synopsis = "[options]"
  static let about = """
    Reads the whole vault and opens every record. The exit code is 1 when the file has a fault or a record
    does not open.
    """
  static let example = "watchword vault check"
  static var options: [Option<VaultCheckCommand>] {
    [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.VaultCheck())
    let report = reply.result
    if isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
    } else {
      StandardOutput.write("\(report.records) records, \(report.unreadable) that do not open\n")
      StandardOutput.write(
        "\(report.credentials) credentials, \(report.trust) decisions about certificates, "
          + "\(report.identities) identities\n")
      if let complaint = report.complaint { StandardOutput.write("\(DisplayText.escaped(complaint))\n") }
    }
    return report.unreadable == 0 && report.complaint == nil ? .success : .failure
  }
}

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

  var daemon = DaemonTarget()
  private var source = PassphraseSource()
  private var keepsOthers = false

  mutating func run() throws(Failure) -> ExitCode {
    let passphrase = try source.newPassphrase()
    try daemon.connect().ask(
      Request.VaultPassphrase(passphrase: passphrase, keepOthers: keepsOthers ? true : nil))
    return .success
  }
}

/// `watchword vault rekey`: seals every record under a new key.
struct VaultRekeyCommand: Command {
  static let name = "vault rekey"
  static let summary = "seal the vault's records under a new key"
  static let synopsis = "[options]"
  static let about = """
    Seals every record of the vault under a new data key. The same keys open it, but a credential of systemd
    that is configured takes the place of the key file. With --opener, the keyring of the desktop session
    (secretService) or a key file opens the vault from now on. Fetches continue.
    """
  static let example = "watchword vault rekey --opener secretService"
  static var options: [Option<VaultRekeyCommand>] {
    [
      Option(nil, "opener", "WORD", "keyFile or secretService", completion: .words(words)) {
        (settings, text) throws(Failure) in
        guard words.contains(text) else {
          throw .usage("--opener is \(words.joined(separator: " or ")), not \(DisplayText.escaped(text))")
        }
        settings.opener = text
      }
    ]
  }
  private static let words = ["keyFile", "secretService"]

  var daemon = DaemonTarget()
  private var opener: String?

  mutating func run() throws(Failure) -> ExitCode {
    try daemon.connect().ask(Request.VaultRekey(opener: opener))
    return .success
  }
}
