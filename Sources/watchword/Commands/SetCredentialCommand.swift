internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword credentials set`: stores a credential before a challenge asks for it.
struct SetCredentialCommand: Command {
  static let name = "credentials set"
  static let summary = "store a credential before a challenge"
  static let synopsis = "[options] URL"
  static let about = """
    Stores a credential for the URL's origin in a session, and creates the session if there is none. A fetch
    then raises no challenge. The secret, and the user without -u, is read from the terminal or an askpass
    program, the secret alone from a descriptor;
    --keytab and --credential-cache are for Kerberos, --source names one of the administrator's sources.
    With --preemptive it goes with the first request to the URL's directory and below, and nowhere else: for
    servers that answer 403 or 404 and never ask. The URL is https, or on this host.
    --key is for a key in a header field of its own, such as X-Api-Key: it goes where --preemptive goes.
    """
  static let example = "watchword credentials set -u reader --realm staff https://intranet.example/"

  static var options: [Option<SetCredentialCommand>] {
    [
      Option("u", "user", "USER", "the user; not with a token") { $0.user = $1 },
      Option(nil, "default", "make it the default user of the space; the first user always is") {
        $0.isDefault = true
      },
      Option(
        nil, "persistence", "WHICH", "keep it forSession (the default), permanent or synchronizable",
        completion: .words(Persistence.words(Persistence.forStorage))
      ) { (command, text) throws(Failure) in
        command.persistence = try Persistence.checked(text, among: Persistence.forStorage)
      },
      Option(nil, "readable", "let other tools have it back: git, docker and keyring, as their helpers") {
        $0.isReadable = true
      },
      Option(
        nil, "preemptive", "send it with the first request below the URL; makes it the default user"
      ) { $0.isPreemptive = true },
      Option(nil, "key", "FIELD", "it is a key, sent in this header field with each request below the URL") {
        $0.space.field = $1
      },
      Option(nil, "key-prefix", "TEXT", "what stands in front of the key in its field") { $0.prefix = $1 },
      Option(nil, "source", "NAME", "use what this source of the administrator's gives") { $0.named = $1 },
      Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true },
    ] + SpaceOptions.options { $1(&$0.space) } + KerberosOptions.options { $1(&$0.kerberos) }
      + SecretSource.options { $1(&$0.source) }
  }

  var daemon = DaemonTarget()
  private var space = SpaceOptions()
  private var kerberos = KerberosOptions()
  private var source = SecretSource()
  private var named: String?
  private var user: String?
  private var isDefault = false
  private var isReadable = false
  private var isPreemptive = false
  private var prefix: String?
  private var persistence: Persistence?
  private var isJSON = false

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { try space.take(url: operand) }

  mutating func run() throws(Failure) -> ExitCode {
    let file = try kerberos.file(user: user)
    try checkKey(hasFile: file != nil)
    let isToken = space.method == "bearer" || space.field != nil || source.tokenDescriptor != nil
    guard named == nil || (file == nil && user == nil) else {
      throw .usage("--source goes without --user, --keytab and --credential-cache: it has them")
    }
    guard !isPreemptive || (file == nil && !space.isProxy) else {
      throw .usage("--preemptive goes without --proxy, --keytab and --credential-cache")
    }
    guard !isPreemptive || ["basic", "bearer", nil].contains(space.method) else {
      throw .usage("--preemptive is for basic and bearer: the other methods need a challenge")
    }
    guard !isToken || user == nil else { throw .usage("--user goes without a token: it has no user") }
    guard file != nil || named != nil || isToken || user != nil || source.mayAsk else {
      throw .usage("the user is missing", hint: "use --user USER, or --method bearer")
    }
    let client = try daemon.connect()
    try SessionScope.open(space.session, client)
    let origin = try space.origin(client)
    let answer: ChallengeAnswer =
      if let file { .kerberos(file) } else if let named { .source(named) } else {
        .credential(try secret(for: origin, isToken: isToken, client))
      }
    let first = isPreemptive || space.field != nil ? FirstRequest(below: origin.url) : nil
    let unnamed = isPreemptive ? "basic" : "default"
    let method =
      space.field != nil
      ? "key" : space.method ?? (file != nil ? "negotiate" : isToken ? "bearer" : unnamed)
    // Only the default user's goes with the first request.
    let isFirst = isDefault || first != nil ? true : try isFirst(of: origin, method: method, client)
    let request = Request.CredentialSet(
      session: space.session,
      protectionSpace: SpaceOptions.key(origin, realm: space.realm, method: method, field: space.field),
      credential: answer.credential(persistence, first, prefix: prefix) ?? Request.Credential(),
      default: isFirst,
      readable: isReadable ? true : nil)
    let reply = try client.askReply(request, descriptors: answer.descriptors, reserving: answer.size)
    if isJSON { StandardOutput.write(JSONText.of(reply.text) + "\n") }
    if first != nil {
      try FirstRequest.check(origin.url, field: space.field, session: space.session, client)
    }
    return .success
  }

  private func checkKey(hasFile: Bool) throws(Failure) {
    guard space.field != nil else {
      guard prefix == nil else { throw .usage("--key-prefix goes with --key FIELD") }
      return
    }
    guard !hasFile, !space.isProxy, user == nil, space.realm == nil, [nil, "key"].contains(space.method)
    else {
      throw .usage(
        "--key goes without --user, --realm, --method, --proxy, --keytab and --credential-cache",
        hint: "a key has a field and nothing else")
    }
  }

  /// Whether the space has no user yet.
  private func isFirst(
    of origin: SpaceOptions.Origin, method: String, _ client: WatchwordClient
  ) throws(Failure) -> Bool {
    let spaces = try client.ask(Request.CredentialList(session: space.session)).credentials
      .compactMap(\.value?.protectionSpace)
    let methods = method == "default" ? ["basic", "digest"] : [method]
    return !spaces.contains { found in
      // A credential for any realm has a space of its own, without a realm.
      (found.realm == nil) == (space.realm == nil)
        && methods.contains { SpaceOptions(realm: space.realm, method: $0).covers(found, of: origin) }
    }
  }

  private func secret(
    for origin: SpaceOptions.Origin, isToken: Bool, _ client: WatchwordClient
  ) throws(Failure) -> Questioner.Answer {
    if let given = try source.given(takesOctets: user != nil) {
      CallersWayText.warn(origin.callersWays, hostField: origin.hostField)
      return Questioner.Answer(user: isToken ? nil : user, secret: given.secret)
    }
    guard let questioner = Questioner(askpass: source.askpass, user: user, proxyUser: user) else {
      throw Failure(
        "no terminal for the prompt", hint: "--askpass PROGRAM or --password-fd NUMBER gives the secret",
        exitCode: .authenticationRefused)
    }
    let method = space.field != nil ? "key" : space.method ?? (isToken ? "bearer" : "default")
    let question = CredentialQuestion(before: origin, method: method, realm: space.field ?? space.realm)
    guard let answer = try questioner.ask(question) else {
      throw Failure("no secret was entered", exitCode: .authenticationRefused)
    }
    try space.check(origin, asBeforeThePrompt: client)
    return answer
  }
}

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

  var daemon = DaemonTarget()
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
