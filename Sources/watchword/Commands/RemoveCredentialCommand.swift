internal import WatchwordClient
internal import WatchwordJSON

/// `watchword credentials remove`: removes credentials of an origin.
struct RemoveCredentialCommand: Command {
  static let name = "credentials remove"
  static let summary = "remove the credentials of an origin"
  static let synopsis = "[options] URL"
  static let about = """
    Removes a session's credentials for the URL's origin: all of them, or those that match --realm,
    --method and --user. Prints the number of removed credentials; none is a failure.
    """
  static let example = "watchword credentials remove https://intranet.example/ --user reader"

  static var options: [Option<RemoveCredentialCommand>] {
    [
      Option("u", "user", "USER", "only this user's") { $0.user = $1 },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ] + SpaceOptions.options { $1(&$0.space) }
  }

  var daemon = DaemonOptions()
  private var space = SpaceOptions()
  private var user: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) { try space.take(url: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let origin = try space.origin(client)
    let session = space.session
    let list = try client.ask("credential/list") { SessionScope.write(session, to: &$0) }
    var removed: Int64 = 0
    for credential in list["credentials"]?.elements ?? [] where matches(credential, origin) {
      let result = try client.ask("credential/remove") { writer in
        SessionScope.write(session, to: &writer)
        writer.key("protectionSpace")
        writer.value(credential["protectionSpace"] ?? .null)
        guard let user = credential["user"]?.text else { return }
        writer.key("user")
        writer.string(user)
      }
      removed += result["removed"]?.integer ?? 0
    }
    if isJSON {
      StandardOutput.write("{\"removed\":\(removed)}\n")
    } else {
      StandardOutput.write("removed \(removed)\n")
    }
    return removed > 0 ? .success : .failure
  }

  private func matches(_ credential: JSONValue, _ origin: SpaceOptions.Origin) -> Bool {
    guard let found = credential["protectionSpace"] else { return false }
    return space.covers(found, of: origin) && (user == nil || credential["user"]?.text == user)
  }
}
