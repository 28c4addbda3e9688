internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword credentials import`: takes over permanent credentials from a sealed file.
struct ImportCredentialsCommand: Command {
  static let name = "credentials import"
  static let summary = "take over permanent credentials from a sealed file"
  static let synopsis = "[options] FILE|-"
  static let about = """
    Takes over all credentials of a file that watchword credentials export has written, or none when the
    file cannot be read. Of one user of a protection space the credential that was given later stays.
    Nothing else is removed. Prints how many were added, replaced and skipped.
    """
  static let example = "watchword credentials import backup.watchword"

  static var options: [Option<ImportCredentialsCommand>] {
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
    guard let path else { throw .usage("the file is missing", hint: "- is standard input") }
    let file = try InputFile.open(path)
    let passphrase = try source.passphrase()
    let result = try daemon.connect().ask("vault/import", descriptors: [file.number]) { writer in
      writer.key("descriptor")
      writer.integer(0)
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
    if isJSON {
      StandardOutput.write(JSONText.of(result) + "\n")
    } else {
      let counts = ["added", "replaced", "skipped"].map { "\($0) \(result[$0]?.integer ?? 0)" }
      StandardOutput.write(counts.joined(separator: ", ") + "\n")
    }
    return .success
  }
}
