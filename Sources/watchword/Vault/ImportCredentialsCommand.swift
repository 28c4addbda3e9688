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

  static var options: [Option<ImportCredentialsCommand>] { SealedFileOptions.options(\.file) }

  var daemon = DaemonOptions()
  private var file = SealedFileOptions()

  mutating func take(operand: String) throws(Failure) { try file.take(operand: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let path = try file.requirePath(orDash: "standard input")
    let input = try InputFile.open(path)
    let passphrase = try file.source.passphrase()
    let result = try daemon.connect().ask("vault/import", descriptors: [input.number]) { writer in
      SealedFileOptions.write(passphrase, to: &writer)
    }
    if file.isJSON {
      StandardOutput.write(JSONText.of(result) + "\n")
    } else {
      let counts = ["added", "replaced", "skipped"].map { "\($0) \(result[$0]?.integer ?? 0)" }
      StandardOutput.write(counts.joined(separator: ", ") + "\n")
    }
    return .success
  }
}
