internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword certificate`: shows a server's certificates and their faults.
struct CertificateCommand: URLCommand {
  static let name = "certificate"
  static let summary = "show a server's certificates and the verdict"
  static let synopsis = "[options] URL"
  static let about = """
    Shows the certificates as the server presents them, the server's own first, and every reason for which
    verification failed. The handshake stops there; no request is sent. The exit code is 4 when
    verification failed.
    """
  static let example = "watchword certificate --pem https://dev.example:8443/ > chain.pem"

  static var options: [Option<CertificateCommand>] {
    [
      Option(nil, "pem", "print PEM text only") { $0.isPEM = true },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
      Option(nil, "cacert", "FILE", "trust only the authorities in this PEM file", completion: .file) {
        $0.session.authorities = $1
      },
      Option(
        nil, "crlfile", "FILE", "check the certificates against the revocation lists in this PEM file",
        completion: .file
      ) {
        $0.session.revocationLists = $1
      },
      Option(nil, "cert-status", "require a good OCSP response from the server") {
        $0.session.requiresStaple = true
      },
      Option(nil, "resolve", "HOST:PORT:ADDRESS", "connect to this address instead of resolving the name") {
        (command, text) throws(Failure) in try command.session.resolve(text)
      },
      Option(nil, "connect-timeout", "SECONDS", "time limit for the connection") {
        (command, text) throws(Failure) in
        command.connectTimeout = try Number.limit(text, "--connect-timeout")
      },
    ]
  }

  var daemon = DaemonTarget()
  var url: String?
  private var session = FetchSession()
  private var connectTimeout: Double?
  private var isPEM = false
  private var isJSON = false

  static let scheme = "https"

  mutating func run() throws(Failure) -> ExitCode {
    guard let url else { throw .usage("the URL is missing") }
    guard !(isPEM && isJSON) else { throw .usage("--pem and --json exclude each other") }
    guard url.asciiLowercased.hasPrefix("https://") else {
      throw .usage("only a server of https:// shows certificates")
    }
    let trust = try seen(at: url)
    StandardOutput.write(text(of: trust, at: url))
    return trust.verdict == "trusted" ? .success : .trustRefused
  }

  /// Lets the daemon do a handshake in a new session, which has no decisions, and stops it.
  private func seen(at url: String) throws(Failure) -> Sent.ServerTrust {
    var settings = session
    settings.isPrivate = true
    let files = try settings.readFiles()
    let client = try daemon.connect()
    var seen: Sent.ServerTrust?
    client.onNotification = { (notification) throws(ClientError) in
      guard case .taskDidReceiveChallenge(let challenge) = notification,
        let trust = challenge.protectionSpace.serverTrust
      else { return }
      seen = trust
      try ReplySender.cancel(challenge, through: client)
    }
    do throws(ClientError) {
      let opened = try client.call(
        Request.SessionOpen(
          configuration: settings.configuration(files), delegate: Request.Delegate(tasks: ["serverTrust"])),
        reserving: files.size)
      try client.call(
        Request.Fetch(
          session: opened.session, url: url, method: "HEAD",
          timeouts: connectTimeout.map { Request.Timeouts(connectSeconds: $0) }, output: .text("discard")))
    } catch {
      if let seen { return seen }
      throw Failure(error)
    }
    throw Failure("the daemon raised no challenge for the certificates of \(DisplayText.escaped(url))")
  }

  private func text(of trust: Sent.ServerTrust, at url: String) -> String {
    if isJSON { return JSONText.of(trust) + "\n" }
    if isPEM { return trust.certificates.map(\.pem).joined() }
    var text = "\(DisplayText.escaped(url, longest: 500)) "
    text += trust.verdict == "trusted" ? "is trusted\n" : "is not trusted\n"
    text += ServerTrustText.reasons(trust)
    for (depth, certificate) in trust.certificates.enumerated() {
      text += "\ncertificate \(depth)\n" + ServerTrustText.certificate(certificate)
    }
    return text
  }
}
