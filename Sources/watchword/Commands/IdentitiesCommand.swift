internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword identities`: lists the client certificates of a session.
struct IdentitiesCommand: ListingCommand {
  static let name = "identities"
  static let summary = "list a session's client certificates"
  static let about = """
    Lists the client certificates of a session, the one added last first, and then the permanent ones: id,
    subject, issuer, expiry and uses. Never a key.
    """
  static let example = "watchword identities --session reports"

  var daemon = DaemonTarget()
  var listing = Listing()

  func request(_ session: String?) -> Request.IdentityList { Request.IdentityList(session: session) }

  static func lines(_ list: Sent.IdentityList) -> [String] {
    list.identities.map { IdentityLine.text(of: $0) }
  }
}

/// `watchword identities add`: gives a session a client certificate.
struct AddIdentityCommand: Command {
  static let name = "identities add"
  static let summary = "add a client certificate to a session"
  static let synopsis = "[options] --cert FILE"
  static let about = """
    Adds a client certificate and its key to a session, and creates the session if there is none. The
    session presents it to every server that accepts its issuer. The command reads the files; the daemon
    keeps their content in memory, or sealed in the vault for every session with --persistence permanent.
    Prints the certificate's id.
    """
  static let example = "watchword identities add --cert alice.pem --key alice.key"

  static var options: [Option<AddIdentityCommand>] {
    [
      Option(
        nil, "cert", "FILE", "the certificate: PEM, with or without its chain and key", completion: .file
      ) {
        $0.certificate = $1
      },
      Option(nil, "key", "FILE", "the key: PEM, when it is in another file", completion: .file) {
        $0.key = $1
      },
      Option(nil, "pkcs11", "URI", "the URI of a key in a token (watchword identities tokens)") {
        $0.certificate = $1
      },
      Option(nil, "pkcs12", "FILE", "certificate and key in PKCS#12 (.p12, .pfx)", completion: .file) {
        $0.certificate = $1
      },
      Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 },
      Option(
        nil, "persistence", "WHICH", "how long it is kept: forSession [default], permanent",
        completion: .words(Persistence.words(Persistence.forIdentities))
      ) { (add, text) throws(Failure) in
        add.persistence = try Persistence.checked(text, among: Persistence.forIdentities)
      },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ] + SecretSource.passphraseOptions { $1(&$0.source) }
  }

  var daemon = DaemonTarget()
  private var certificate: String?
  private var key: String?
  private var session: String?
  private var persistence: Persistence?
  private var source = SecretSource()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    guard let certificate else { throw .usage("the certificate is missing", hint: "--cert FILE names it") }
    let giver = IdentityGiver(
      file: try IdentityFile(certificate: certificate, key: key), name: key ?? certificate,
      askpass: source.askpass, passphrase: try source.given()?.secret)
    let client = try daemon.connect()
    try SessionScope.open(session, client)
    let identifier = try giver.give(to: session, persistence, through: client)
    StandardOutput.write(
      isJSON ? JSONText.of(.object(["identity": .string(identifier)])) + "\n" : identifier + "\n")
    return .success
  }
}

/// `watchword identities remove`: removes client certificates.
struct RemoveIdentityCommand: RemovalCommand {
  static let name = "identities remove"
  static let summary = "remove a client certificate"
  static let synopsis = "[options] ID | --all"
  static let about = """
    Removes a client certificate and its key, by the id that "watchword identities" shows, or all of them,
    the permanent ones included. The connections that rest on it are closed. Prints the number of removed
    certificates; none is a failure.
    """
  static let example = "watchword identities remove i-5f1c0b6e9a2d4c8f7e3b1a0d9c8b7a6f"

  static let question = "the certificate is missing"
  static let lister = "watchword identities"

  var daemon = DaemonTarget()
  var removal = Removal()

  var request: Request.IdentityRemove {
    Request.IdentityRemove(session: removal.session, identity: removal.identifier)
  }
}

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

  var daemon = DaemonTarget()
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
