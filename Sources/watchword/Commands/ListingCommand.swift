internal import WatchwordMessages
internal import WatchwordOptions

/// A command that lists entries of a session: one line each, or the daemon's JSON unchanged.
protocol ListingCommand: Command {
  associatedtype List: MethodRequest
  func request(_ session: String?) -> List
  static func lines(_ list: List.Result) -> [String]
  /// Further lines for a person, which belong to no session.
  static func furtherLines(_ client: WatchwordClient) throws(Failure) -> [String]

  var listing: Listing { get set }
}

extension ListingCommand {
  static var synopsis: String { "[options]" }

  static func furtherLines(_ client: WatchwordClient) throws(Failure) -> [String] { [] }

  static var options: [Option<Self>] {
    [
      Option(nil, "session", "NAME", "the session [default]") { $0.listing.session = $1 },
      Option(nil, "json", "as JSON") { $0.listing.isJSON = true },
    ]
  }

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let list = try client.askReply(request(listing.session))
    if listing.isJSON {
      StandardOutput.write(JSONText.of(list.text) + "\n")
    } else {
      let lines = Self.lines(list.result) + (try Self.furtherLines(client))
      StandardOutput.write(lines.map { $0 + "\n" }.joined())
      if lines.isEmpty {
        Diagnostics.tellPerson("nothing to list in session \(listing.session ?? "default")")
      }
    }
    try LockState.explain(client, fromVault: true)
    return .success
  }
}

/// The options of every listing command.
struct Listing {
  var session: String?
  var isJSON = false
}
