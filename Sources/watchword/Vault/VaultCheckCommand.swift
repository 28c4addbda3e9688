internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword vault check`: reads the whole vault.
struct VaultCheckCommand: Command {
  static let name = "vault check"
  static let summary = "check the vault's file and records"
  static let synopsis = "[options]"
  static let about = """
    Reads the whole vault and opens every record. The exit code is 1 when the file has a fault or a record
    does not open.
    """
  static let example = "watchword vault check"
  static var options: [Option<VaultCheckCommand>] {
    [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonOptions()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.VaultCheck())
    let report = reply.result
    if isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
    } else {
      StandardOutput.write("\(report.records) records, \(report.unreadable) that do not open\n")
      StandardOutput.write(
        "\(report.credentials) credentials, \(report.trust) decisions about certificates, "
          + "\(report.identities) identities\n")
      if let complaint = report.complaint { StandardOutput.write("\(DisplayText.escaped(complaint))\n") }
    }
    return report.unreadable == 0 && report.complaint == nil ? .success : .failure
  }
}
