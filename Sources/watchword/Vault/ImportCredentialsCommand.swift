internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordSecret

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

  var daemon = DaemonOptions()
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
