internal import WatchwordClient
internal import WatchwordMessages

/// `watchword forget`: clears the daemon's memory.
struct ForgetCommand: Command {
  static let name = "forget"
  static let summary = "clear the daemon's memory of secrets"
  static let synopsis = "[options]"
  static let about = """
    Clears the credentials, decisions, identities, cookies and tickets of all sessions of the user, and what
    the daemon has decrypted of the vault. The vault itself stays: with a key file it is read again when it is
    needed, with a passphrase after watchword unlock.
    """
  static let example = "watchword forget"
  static var options: [Option<ForgetCommand>] { [] }

  var daemon = DaemonOptions()

  mutating func run() throws(Failure) -> ExitCode {
    try daemon.connect().ask(Request.AgentForget())
    return .success
  }
}
