internal import WatchwordClient
internal import WatchwordJSON

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
    let result = try daemon.connect().ask("vault/check")
    let (records, unreadable) = (result["records"]?.integer ?? 0, result["unreadable"]?.integer ?? 0)
    let complaint = result["complaint"]?.text
    if isJSON {
      StandardOutput.write(JSONText.of(result) + "\n")
    } else {
      StandardOutput.write("\(records) records, \(unreadable) that do not open\n")
      let (credentials, decisions) = (result["credentials"]?.integer ?? 0, result["trust"]?.integer ?? 0)
      let identities = result["identities"]?.integer ?? 0
      StandardOutput.write(
        "\(credentials) credentials, \(decisions) decisions about certificates, \(identities) identities\n")
      if let complaint { StandardOutput.write("\(DisplayText.escaped(complaint))\n") }
    }
    return unreadable == 0 && complaint == nil ? .success : .failure
  }
}
