internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword credentials default`: says which user of a protection space is used.
struct SetDefaultCredentialCommand: Command {
  static let name = "credentials default"
  static let summary = "make a stored user the default of its space"
  static let synopsis = "[options] URL"
  static let about = """
    Makes the credential of --user the one that is used where a URL names no user, for the URL's origin:
    in every realm, or the one of --realm; with Basic and Digest, or the --method.
    """
  static let example = "watchword credentials default https://intranet.example/ --user writer"

  static var options: [Option<SetDefaultCredentialCommand>] {
    [Option("u", "user", "USER", "the user") { $0.user = $1 }]
      + SpaceOptions.options { $1(&$0.space) }
  }

  var daemon = DaemonOptions()
  private var space = SpaceOptions()
  private var user: String?

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { try space.take(url: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    guard let user else { throw .usage("the user is missing", hint: "use --user USER") }
    let client = try daemon.connect()
    let origin = try space.origin(client)
    try client.ask(
      Request.CredentialSetDefault(
        session: space.session,
        protectionSpace: SpaceOptions.key(origin, realm: space.realm, method: space.method ?? "default"),
        user: user))
    return .success
  }
}
