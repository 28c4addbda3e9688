internal import WatchwordClient

/// `watchword vault rekey`: seals every record under a new key.
struct VaultRekeyCommand: Command {
  static let name = "vault rekey"
  static let summary = "seal the vault's records under a new key"
  static let synopsis = "[options]"
  static let about = """
    Seals every record of the vault under a new data key. The same keys open it, but a credential of systemd
    that is configured takes the place of the key file. Fetches continue.
    """
  static let example = "watchword vault rekey"
  static var options: [Option<VaultRekeyCommand>] { [] }

  var daemon = DaemonOptions()

  mutating func run() throws(Failure) -> ExitCode {
    try daemon.connect().ask("vault/rekey")
    return .success
  }
}
