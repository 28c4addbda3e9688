internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// What the fetches of one command share: the connection to the daemon, the session with its settings and
/// identity, and the program or terminal that answers for the person.
final class FetchConversation {
  private static let takenMethods = ["basic", "digest", "bearer", "htmlForm", "agentUnlock"]

  private(set) var client: WatchwordClient
  let questioner: Questioner?
  private let fetch: FetchCommand
  private let files: FetchSession.Files
  private let identity: IdentityGiver?
  private let cookies: [Request.CookieToSet]
  private var isOpen = false
  /// Whether the daemon stops, and has not opened the session.
  private(set) var isTurnedAway = false
  /// Whether this fetch has made the session.
  private var isNew = true
  /// Nil for `default`.
  private(set) var session: String?
  /// Nil: those of the session.
  private(set) var proxies: TextOr<Request.Proxies>?
  /// Tasks that this program has given up; what the daemon still says of them is not heard.
  var abandoned: Set<String> = []
  private var headDump: Descriptor?
  private var told: Set<String> = []

  init(_ fetch: FetchCommand) throws(Failure) {
    self.fetch = fetch
    files = try fetch.session.readFiles()
    cookies = try fetch.session.readCookies()
    identity = try fetch.session.identity(askpass: fetch.askpass)
    let given = try fetch.given.read()
    questioner =
      fetch.mayAsk || given != nil
      ? Questioner(
        askpass: fetch.mayAsk ? fetch.askpass : nil, user: fetch.user, proxyUser: fetch.proxy.givenUser,
        persistence: fetch.persistence, given: given.map { ($0, fetch.given.isToken) },
        ownWays: fetch.session.ownWays + fetch.trust.ownWays) : nil
    if let path = fetch.headPath, path != "-" {
      guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | O_TRUNC) else {
        throw Failure(
          "\(DisplayText.escaped(path)) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
      }
      headDump = consume file
    }
    client = try fetch.daemon.connect()
  }

  /// Whether the session was given its identity by an option; then the person is not asked for one.
  var hasIdentity: Bool { identity != nil }

  /// The daemon takes nothing more, and the next one has the session: goes on there.
  ///
  /// - Returns: Whether there is one.
  func renew() -> Bool {
    guard let next = try? fetch.daemon.connect() else { return false }
    client = next
    isOpen = false
    isTurnedAway = false
    return true
  }

  /// Opens the session before its first fetch, if it needs settings or a delegate.
  ///
  /// - Parameter url: of the first fetch.
  func open(for url: String, trust: TrustAnswerer?, asksForCertificates: Bool) throws(Failure) {
    guard !isOpen else { return }
    isOpen = true
    do throws(ClientError) {
      session = try openSession(trust, asksForCertificates)
    } catch {
      guard case .refused(let remote) = error, remote.kind == .restricted else {
        isTurnedAway = error.isTurnedAway
        throw Failure(error)
      }
      throw Failure(error).hinting(
        "this connection has one session, whose settings are not its own: leave out the options marked * in "
          + "watchword help fetch")
    }
    for cookie in cookies { try set(cookie) }
    var proxy = fetch.proxy
    proxies = try proxy.proxies(for: url, session: session, client)
    // Of the others, forSession is what a session keeps, and none is a private session's.
    let isKept = fetch.persistence == .permanent
    guard let identity else { return }
    if !isKept, try hasOwnIdentity() { return }
    _ = try identity.give(to: session, isKept ? fetch.persistence : nil, through: client)
  }

  /// Whether the session that is named after the client certificate has it: no passphrase is needed again.
  private func hasOwnIdentity() throws(Failure) -> Bool {
    guard !isNew, fetch.session.mayHaveIdentity else { return false }
    return try client.ask(Request.IdentityList(session: session)).identities.contains {
      $0.persistence == Persistence.forSession.rawValue && $0.origin == nil
    }
  }

  /// A cookie that no server could have set, such as one for a whole top-level domain, is passed over.
  private func set(_ cookie: Request.CookieToSet) throws(Failure) {
    do throws(ClientError) {
      try client.call(Request.CookieSet(session: session, cookie: cookie))
    } catch {
      if case .refused(let remote) = error, remote.kind == .invalidParams { return }
      throw Failure(error)
    }
  }

  private func openSession(_ trust: TrustAnswerer?, _ asksForCertificates: Bool) throws(ClientError)
    -> String?
  {
    let settings = fetch.session
    guard settings.isConfigured || settings.name != nil || questioner != nil || trust != nil else {
      return nil
    }
    let opened: Sent.OpenedSession
    do throws(ClientError) {
      opened = try opening(settings, trust, asksForCertificates)
    } catch {
      // On a restricted connection others answer, and its session is the only one.
      guard case .refused(let refusal) = error, refusal.kind == .restricted, !settings.isConfiguredByOptions
      else {
        throw error
      }
      return settings.name
    }
    isNew = opened.created
    for text in opened.warnings { Diagnostics.warn(text) }
    return opened.session
  }

  private func opening(
    _ settings: FetchSession, _ trust: TrustAnswerer?, _ asksForCertificates: Bool
  ) throws(ClientError) -> Sent.OpenedSession {
    let asks = questioner != nil || trust != nil
    let (name, isBySettings): (String?, Bool?) =
      switch settings.place {
      case .named(let name): (name, nil)
      case .bySettings: (nil, true)
      case .ownPrivate: (nil, nil)
      }
    return try client.call(
      Request.SessionOpen(
        name: name, configuration: settings.isConfigured ? settings.configuration(files) : nil,
        bySettings: isBySettings, variant: settings.variant,
        delegate: asks ? delegate(trust, asksForCertificates) : nil), reserving: files.size)
  }

  private func delegate(_ trust: TrustAnswerer?, _ asksForCertificates: Bool) -> Request.Delegate {
    var tasks = questioner == nil ? [] : Self.takenMethods + fetch.session.methods.names
    if trust != nil { tasks.append("serverTrust") }
    if asksForCertificates { tasks.append("clientCertificate") }
    return Request.Delegate(tasks: tasks, trustVerdicts: trust == nil ? nil : "refused")
  }

  /// Gives the session what goes with the first request, unless it has it.
  func giveFirst(for url: String) throws(Failure) {
    let method = fetch.user == nil ? "bearer" : "basic"
    let explained = try client.ask(Request.Explain(session: session, url: url))
    let known = explained.preemptive ? explained.credential : nil
    let isKnown = known.map { $0.user == fetch.user && $0.authenticationMethod == method } ?? false
    guard !isKnown || questioner?.hasGiven == true else { return }
    let space = SpaceOptions(url: url, session: session)
    let origin = try space.origin(client)
    guard let answer = try questioner?.answer(before: origin, method: method) else {
      throw Failure("no secret was entered", exitCode: .authenticationRefused)
    }
    try space.check(origin, asBeforeThePrompt: client)
    let credential = answer.credential(fetch.persistence, FirstRequest(below: explained.url))
    let reply = Request.CredentialSet(
      session: session, protectionSpace: SpaceOptions.key(origin, realm: nil, method: method),
      credential: credential)
    _ = try client.askReply(reply, reserving: answer.secret.count * 6)
    try FirstRequest.check(explained.url, session: session, client)
  }

  /// Whether this was not said of another fetch.
  func isNew(_ text: String) -> Bool { told.insert(text).inserted }

  var methods: FetchMethods { fetch.session.methods }

  /// Writes a head where `-D` wants it; nothing without.
  func dump(_ response: HeadText) throws(Failure) {
    guard fetch.headPath != nil else { return }
    var head = response.text
    guard let number = headDump?.number else { return StandardOutput.write(head) }
    guard head.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: number) }) else {
      throw Failure("the head cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
  }

  /// Writes the session's cookies where `-c` wants them; nothing without.
  func writeCookies() throws(Failure) {
    guard let path = fetch.cookiePath else { return }
    try CookieJar.write(try client.ask(Request.CookieList(session: session)).cookies, to: path)
  }
}

extension ClientError {
  /// Whether the daemon stops, and has not begun with the request.
  var isTurnedAway: Bool { isRefusal(.shuttingDown) }

  /// Whether the daemon has ended before the task did.
  var isInterrupted: Bool {
    if case .connectionLost = self { true } else { isRefusal(.taskInterrupted) }
  }

  private func isRefusal(_ kind: ErrorKind) -> Bool {
    if case .refused(let remote) = self { remote.kind == kind } else { false }
  }
}
