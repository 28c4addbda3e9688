internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword credentials export`: writes the permanent credentials to a sealed file.
struct ExportCredentialsCommand: Command {
  static let name = "credentials export"
  static let summary = "write the permanent credentials to a sealed file"
  static let synopsis = "[options] FILE|-"
  static let about = """
    Writes all permanent credentials to FILE, or with - to standard output, sealed with a passphrase of the
    file's own: a backup, or a way to another host. The daemon seals and writes; no secret is in this process
    but the passphrase. FILE is replaced when it is complete. Prints the number of credentials.
    """
  static let example = "watchword credentials export backup.watchword"

  static var options: [Option<ExportCredentialsCommand>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true }]
      + SecretSource.passphraseOptions { $1(&$0.source.source) }
  }

  var daemon = DaemonOptions()
  private var source = PassphraseSource(place: "export")
  private var path: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard path == nil else { throw .usage("only one file is allowed") }
    path = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let path else { throw .usage("the file is missing", hint: "- is standard output") }
    guard path == "-" else {
      let file = try NewFile(path)
      let result = try export(to: file.descriptor)
      try file.commit()
      report(result, to: STDOUT_FILENO)
      return .success
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw .usage("a sealed file is not for a terminal", hint: "name a file, or a pipe's reader")
    }
    report(try export(to: STDOUT_FILENO), to: STDERR_FILENO)
    return .success
  }

  private func export(to descriptor: Int32) throws(Failure) -> JSONValue {
    let passphrase = try source.newPassphrase()
    return try daemon.connect().ask("vault/export", descriptors: [descriptor]) { writer in
      writer.key("descriptor")
      writer.integer(0)
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
  }

  /// Beside the sealed bytes on standard output, a person reads it on standard error.
  private func report(_ result: JSONValue, to descriptor: Int32) {
    let text =
      isJSON
      ? JSONText.of(result) + "\n" : "exported \(result["credentials"]?.integer ?? 0) credentials\n"
    _ = Array(text.utf8).withUnsafeBytes { Output.write($0, to: descriptor) }
  }
}
