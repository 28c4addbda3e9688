internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

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

  var daemon = DaemonOptions()
  private var opener: String?

  mutating func run() throws(Failure) -> ExitCode {
    try daemon.connect().ask(Request.VaultRekey(opener: opener))
    return .success
  }
}
