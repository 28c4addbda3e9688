internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// `watchword credentials set`: gives a credential before anybody asks.
struct SetCredentialCommand: Command {
  static let name = "credentials set"
  static let summary = "give a credential before it is asked for"
  static let synopsis = "[options] URL"
  static let about = """
    Puts a credential into a session, which is made when there is none, so that a fetch from the URL's origin
    is not asked. The secret is asked for on the terminal, or read from a descriptor or an askpass program.
    """
  static let example = "watchword credentials set https://intranet.example/ --realm staff --user reader"

  static var options: [Option<SetCredentialCommand>] {
    [
      Option("u", "user", "USER", "the user; left out with a token") { $0.user = $1 },
      Option(nil, "default", "make it the space's default user; the first one is") { $0.isDefault = true },
      Option(
        nil, "persistence", "WHICH", "keep it forSession (the default)",
        completion: .words(Persistence.forStorage)
      ) { (command, text) throws(Failure) in
        command.persistence = try Persistence.checked(text, among: Persistence.forStorage)
      },
      Option(nil, "json", "print the daemon's answer as JSON") { $0.isJSON = true },
    ] + SpaceOptions.options { $1(&$0.space) } + SecretSource.options { $1(&$0.source) }
  }

  var daemon = DaemonOptions()
  private var space = SpaceOptions()
  private var source = SecretSource()
  private var user: String?
  private var isDefault = false
  private var persistence: String?
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) { try space.take(url: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let isToken = space.method == "bearer" || source.tokenDescriptor != nil
    guard isToken || user != nil else {
      throw .usage("which user?", hint: "name it with --user, or say --method bearer")
    }
    let client = try daemon.connect()
    if let session = space.session {
      // As for a fetch: the session is made when there is none.
      try client.ask("session/open") {
        $0.key("name")
        $0.string(session)
      }
    }
    let origin = try space.origin(client)
    let answer = try secret(for: origin, isToken: isToken)
    let (space, isDefault, persistence) = (space, isDefault, persistence)
    let result = try client.ask("credential/set", reserving: answer.secret.count * 6) { writer in
      SessionScope.write(space.session, to: &writer)
      SpaceOptions.write(
        origin, realm: space.realm, method: space.method ?? (isToken ? "bearer" : "default"), to: &writer)
      writer.key("credential")
      CredentialText.write(to: &writer, user: answer.user, secret: answer.secret, persistence: persistence)
      writer.key("default")
      writer.bool(isDefault)
    }
    if isJSON { StandardOutput.write(JSONText.of(result) + "\n") }
    return .success
  }

  private func secret(for origin: SpaceOptions.Origin, isToken: Bool) throws(Failure) -> Questioner.Answer {
    if let given = try source.given() {
      return Questioner.Answer(user: given.isToken ? nil : user, secret: given.secret)
    }
    guard let questioner = Questioner(askpass: source.askpass, user: user) else {
      throw Failure(
        "there is no terminal to ask on", hint: "--askpass PROGRAM or --password-fd NUMBER gives the secret",
        exitCode: .authenticationRefused)
    }
    let question: JSONValue = .object([
      "protectionSpace": .object([
        "protocol": .string(origin.scheme), "host": .string(origin.host),
        "port": .integer(Int64(origin.port)),
        "realm": space.realm.map { .string($0) } ?? .null,
        "authenticationMethod": .string(space.method ?? (isToken ? "bearer" : "default")),
      ])
    ])
    guard let answer = try questioner.ask(about: question) else {
      throw Failure("nothing was given", exitCode: .authenticationRefused)
    }
    return answer
  }
}
