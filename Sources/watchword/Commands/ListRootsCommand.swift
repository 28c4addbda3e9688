internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

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

  var daemon = DaemonOptions()
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
