internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword trust add-ca`: trusts certificate authorities in every session.
struct AddRootsCommand: Command {
  static let name = "trust add-ca"
  static let summary = "trust a certificate authority in every session"
  static let synopsis = "[options] FILE"
  static let about = """
    Adds the certificate authorities in FILE, which is PEM or one certificate in DER, to those that every
    session of yours trusts beside the system's. They are kept until "watchword trust remove-ca". The
    certificate of a single server is refused: accept that one with watchword fetch -k, or when it is asked
    about. Prints each authority: SHA-256, subject and expiry.
    """
  static let example = "watchword trust add-ca company-ca.pem"

  static var options: [Option<AddRootsCommand>] { [Option(nil, "json", "as JSON") { $0.isJSON = true }] }

  var daemon = DaemonOptions()
  private var path: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard path == nil else { throw .usage("only one FILE is allowed") }
    path = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let path else { throw .usage("the file of the authority is missing") }
    let certificates = try CertificateFile.pem(of: path)
    let reply = try daemon.connect().askReply(Request.TrustAddRoots(certificates: certificates))
    guard !isJSON else {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
      return .success
    }
    StandardOutput.write(reply.result.roots.map { RootLine.text(of: $0) + "\n" }.joined())
    StandardOutput.write("added \(reply.result.added)\n")
    return .success
  }
}
