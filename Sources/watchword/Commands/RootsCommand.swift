internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword trust list-ca`: lists the user's certificate authorities.
struct ListRootsCommand: Command {
  static let name = "trust list-ca"
  static let summary = "list your certificate authorities"
  static let synopsis = "[options]"
  static let about = """
    Lists the certificate authorities that every session of yours trusts beside the system's: SHA-256,
    subject and expiry.
    """
  static let example = "watchword trust list-ca"

  static var options: [Option<ListRootsCommand>] { [Option(nil, "json", "as JSON") { $0.isJSON = true }] }

  var daemon = DaemonTarget()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.TrustListRoots())
    StandardOutput.write(
      isJSON
        ? JSONText.of(reply.text) + "\n"
        : reply.result.roots.map { RootLine.text(of: $0) + "\n" }.joined())
    return .success
  }
}

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

  var daemon = DaemonTarget()
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

/// `watchword trust remove-ca`: trusts a certificate authority no longer.
struct RemoveRootsCommand: Command {
  static let name = "trust remove-ca"
  static let summary = "remove certificate authorities of yours"
  static let synopsis = "[options] SHA256 | --all"
  static let about = """
    Removes a certificate authority from those that every session of yours trusts: by the SHA-256 that
    "watchword trust list-ca" shows, of which its first 8 digits are enough, or all. No later request uses a
    connection that was opened before. Prints the number of removed authorities; none is a failure.
    """
  static let example = "watchword trust remove-ca 3f1ac20b"

  static var options: [Option<RemoveRootsCommand>] {
    [
      Option(nil, "all", "all of yours") { $0.isAll = true },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  /// Digits that are enough, when only one authority begins with them.
  private static let fewest = 8

  var daemon = DaemonTarget()
  private var fingerprint: String?
  private var isAll = false
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard fingerprint == nil else { throw .usage("only one SHA-256 is allowed") }
    // OpenSSL writes it with colons and in upper case.
    fingerprint = operand.filter { $0 != ":" }.lowercased()
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard isAll != (fingerprint != nil) else {
      throw .usage(
        isAll ? "a SHA-256 and --all exclude each other" : "the SHA-256 of the authority is missing",
        hint: "watchword trust list-ca lists them")
    }
    let client = try daemon.connect()
    let reply = try client.askReply(Request.TrustRemoveRoots(root: try root(client)))
    let removed = reply.result.removed
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : "removed \(removed)\n")
    if removed == 0, fingerprint != nil { Diagnostics.hint("watchword trust list-ca lists the authorities") }
    return removed > 0 ? .success : .failure
  }

  /// The whole SHA-256; nil: of all.
  private func root(_ client: WatchwordClient) throws(Failure) -> String? {
    guard let fingerprint, fingerprint.utf8.count != 64 else { return fingerprint }
    guard fingerprint.utf8.count >= Self.fewest else {
      throw .usage("a SHA-256 has 64 digits; its first \(Self.fewest) or more are enough")
    }
    let found = try client.ask(Request.TrustListRoots()).roots.filter { $0.sha256.hasPrefix(fingerprint) }
    guard found.count <= 1 else { throw .usage("several authorities begin with these digits") }
    // One that is not there is removed 0 times.
    return found.first?.sha256 ?? fingerprint
  }
}

/// A file of certificates, in PEM or one in DER.
enum CertificateFile {
  private static let labels = ["CERTIFICATE", "X509 CERTIFICATE"]

  /// Its certificates in PEM. What else is in the file, such as a key, is left out.
  static func pem(of path: String) throws(Failure) -> String {
    let bytes = try InputFile.contents(of: path)
    let text = PEMBlocks.text(in: Secret(bytes)) { label in labels.contains { label.elementsEqual($0.utf8) } }
    guard let text else { throw Failure("\(DisplayText.escaped(path)): a PEM block is not ASCII") }
    if !text.isEmpty { return text }
    // The tag of a SEQUENCE, with which a certificate in DER begins.
    guard bytes.first == 0x30 else {
      throw Failure("\(DisplayText.escaped(path)) has no certificate, in PEM or in DER")
    }
    return "-----BEGIN CERTIFICATE-----\n\(lines(Base64.encode(bytes)))-----END CERTIFICATE-----\n"
  }

  /// RFC 7468 §2: lines of 64 characters.
  private static func lines(_ text: String) -> String {
    let characters = Array(text.utf8)
    return stride(from: 0, to: characters.count, by: 64).map { start in
      String(decoding: characters[start..<min(start + 64, characters.count)], as: UTF8.self) + "\n"
    }.joined()
  }
}

/// Formats a certificate authority of the user for a person: the SHA-256 to remove it with, then its subject.
enum RootLine {
  static func text(of root: Sent.Root) -> String {
    let words = [root.sha256, root.subject, root.issuer, root.notAfter].map { DisplayText.escaped($0) }
    let issuer = root.issuer == root.subject ? "" : ", issued by \(words[2])"
    return "\(words[0])  \(words[1])\(issuer), good until \(words[3])"
  }
}
