internal import WatchwordClient
internal import WatchwordJSON

/// A command that lists entries of a session: one line each, or the daemon's JSON unchanged.
protocol ListingCommand: Command {
  static var method: String { get }
  /// The member of the result that holds the list.
  static var member: String { get }
  static func line(of element: JSONValue) -> String

  var listing: Listing { get set }
}

extension ListingCommand {
  static var synopsis: String { "[options]" }

  static var options: [Option<Self>] {
    [
      Option(nil, "session", "NAME", "the session [default]") { $0.listing.session = $1 },
      Option(nil, "json", "as JSON") { $0.listing.isJSON = true },
    ]
  }

  mutating func run() throws(Failure) -> ExitCode {
    let name = listing.session
    let client = try daemon.connect()
    let result = try client.ask(Self.method) { SessionScope.write(name, to: &$0) }
    if listing.isJSON {
      StandardOutput.write(JSONText.of(result) + "\n")
    } else {
      let lines = (result[Self.member]?.elements ?? []).map { Self.line(of: $0) + "\n" }
      StandardOutput.write(lines.joined())
    }
    try LockState.explain(client, fromVault: true)
    return .success
  }
}
