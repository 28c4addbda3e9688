internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword credentials export`: writes the permanent credentials to a sealed file.
struct ExportCredentialsCommand: Command {
  static let name = "credentials export"
  static let summary = "write what is kept permanently to a sealed file"
  static let synopsis = "[options] FILE|-"
  static let about = """
    Writes all permanent credentials, decisions about certificates and identities to FILE, or with - to
    standard output, sealed with a passphrase of the file's own: a backup, or a way to another host. The
    daemon seals and writes; no secret is in this process but the passphrase. FILE is replaced when it is
    complete. Prints how many of each were written.
    """
  static let example = "watchword credentials export backup.watchword"

  static var options: [Option<ExportCredentialsCommand>] { SealedFileOptions.options(\.file) }

  var daemon = DaemonTarget()
  private var file = SealedFileOptions()

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { try file.take(operand: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let path = try file.requirePath(orDash: "standard output")
    guard path == "-" else {
      let new = try NewFile(path)
      let result = try export(to: new.descriptor)
      try new.commit()
      report(result, to: STDOUT_FILENO)
      return .success
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw .usage("a sealed file is not for a terminal", hint: "name a file, or a pipe's reader")
    }
    report(try export(to: STDOUT_FILENO), to: STDERR_FILENO)
    return .success
  }

  private func export(to descriptor: Int32) throws(Failure) -> WatchwordClient.Reply<Sent.ExportReport> {
    let passphrase = try file.source.newPassphrase()
    return try daemon.connect().askReply(
      Request.VaultExport(descriptor: 0, passphrase: passphrase), descriptors: [descriptor])
  }

  /// Beside the sealed bytes on standard output, a person reads it on standard error.
  private func report(_ reply: WatchwordClient.Reply<Sent.ExportReport>, to descriptor: Int32) {
    let exported = reply.result
    let rest =
      (exported.trust > 0 ? ", \(exported.trust) decisions about certificates" : "")
      + (exported.identities > 0 ? ", \(exported.identities) identities" : "")
    let text =
      file.isJSON
      ? JSONText.of(reply.text) + "\n" : "exported \(exported.credentials) credentials\(rest)\n"
    _ = Array(text.utf8).withUnsafeBytes { Output.write($0, to: descriptor) }
  }
}

/// `watchword credentials import`: takes over permanent credentials from a sealed file.
struct ImportCredentialsCommand: Command {
  static let name = "credentials import"
  static let summary = "take over what a sealed file keeps"
  static let synopsis = "[options] FILE|-"
  static let about = """
    Takes over all credentials, decisions about certificates and identities of a file that watchword
    credentials export has written, or none when the file cannot be read. Of one user of a protection space
    the credential that was given later stays. Nothing else is removed. Prints how many were added, replaced
    and skipped.
    """
  static let example = "watchword credentials import backup.watchword"

  static var options: [Option<ImportCredentialsCommand>] { SealedFileOptions.options(\.file) }

  var daemon = DaemonTarget()
  private var file = SealedFileOptions()

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { try file.take(operand: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let path = try file.requirePath(orDash: "standard input")
    let input = try InputFile.open(path)
    let passphrase = try file.source.passphrase()
    let reply = try daemon.connect().askReply(
      Request.VaultImport(descriptor: 0, passphrase: passphrase), descriptors: [input.number])
    if file.isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
    } else {
      let report = reply.result
      StandardOutput.write(
        "added \(report.added), replaced \(report.replaced), skipped \(report.skipped)\n")
    }
    return .success
  }
}

/// What the commands that write and read a sealed file of credentials take alike: the file, its passphrase,
/// `--json`.
struct SealedFileOptions {
  var source = PassphraseSource(place: "export")
  private(set) var path: String?
  private(set) var isJSON = false

  static func options<Verb: Command>(_ file: WritableKeyPath<Verb, SealedFileOptions>) -> [Option<Verb>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0[keyPath: file].isJSON = true }]
      + SecretSource.passphraseOptions { $1(&$0[keyPath: file].source.source) }
  }

  mutating func take(operand: String) throws(Failure) {
    guard path == nil else { throw .usage("only one file is allowed") }
    path = operand
  }

  /// - Parameter meaning: of `-`.
  func requirePath(orDash meaning: String) throws(Failure) -> String {
    guard let path else { throw .usage("the file is missing", hint: "- is \(meaning)") }
    return path
  }
}
