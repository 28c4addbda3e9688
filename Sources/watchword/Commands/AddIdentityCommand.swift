internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordOptions
internal import WatchwordVocabulary

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

  var daemon = DaemonOptions()
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
