internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword identities tokens`: lists the certificates of the tokens of the daemon's modules.
struct TokensCommand: Command {
  static let name = "identities tokens"
  static let summary = "list client certificates in tokens and the URIs of their keys"
  static let synopsis = "[options]"
  static let about = """
    Lists the certificates that smart cards and other tokens show without a login, each with the URI of its
    key. Add it with watchword identities add --pkcs11 URI. The administrator names the
    PKCS#11 modules in the daemon's configuration, as "pkcs11Modules".
    """
  static let example = "watchword identities tokens"

  static var options: [Option<TokensCommand>] { [Option(nil, "json", "as JSON") { $0.isJSON = true }] }

  var daemon = DaemonOptions()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.IdentityTokens())
    guard !isJSON else {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
      return .success
    }
    let lines = reply.result.identities.map { IdentityLine.text(ofTokenCertificate: $0) + "\n" }
    StandardOutput.write(lines.joined())
    return .success
  }
}
