internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The sessions of the daemon, by uid and name; only its own connection reaches a private session.
@ReactorActor
final class SessionRegistry {
  nonisolated static let defaultName = "default"

  /// Makes the engine of a session from its settings, in the memory that it may hold; with the cookies of the
  /// engine that it replaces, or with none. Nil: it is the daemon's own, which no memory of a uid counts.
  typealias EngineMaker =
    @ReactorActor (EngineConfiguration, (any HeldMemory)?, SessionCookies?) throws(EngineFault)
    -> any ExchangeEngine

  private struct Key: Hashable {
    let uid: UInt32
    let name: String
  }

  /// Of every session that is made from now on.
  var engineMaker: EngineMaker = { (settings, memory, cookies) throws(EngineFault) in
    try CurlEngine(settings, memory: memory, cookies: cookies)
  }

  private var sessions: [Key: SessionDriver] = [:]
  /// Their names are free again, and their tasks are being stopped.
  private var ending: [ObjectIdentifier: SessionDriver] = [:]
  /// Sessions of each uid.
  private var counts: [UInt32: Int] = [:]
  /// One for each uid that has had a session.
  private var changes: [UInt32: AccountChanges] = [:]
  /// Names sessions after their settings.
  var settingsKey = Randomness.key() {
    didSet { settingsName = SettingsName(MessageKey(settingsKey)) }
  }
  private lazy var settingsName = SettingsName(MessageKey(settingsKey))

  /// By uid and name, for what is shown.
  var all: [SessionDriver] { Self.sorted(sessions.values) }
  /// There may be thousands: what shows none of them has no use for their order.
  var unordered: some Sequence<SessionDriver> { sessions.values }
  var count: Int { sessions.count }
  /// Those that are ending, too: what holds something of a uid, or of any.
  func holders(of uid: UInt32?) -> [SessionDriver] {
    (Array(sessions.values) + Array(ending.values)).filter { uid == nil || $0.uid == uid }
  }

  func count(of uid: UInt32) -> Int { counts[uid] ?? 0 }

  /// Tasks that wait for an answer.
  func waitingTasks(of uid: UInt32) -> Int {
    sessions.values.lazy.filter { $0.uid == uid }.reduce(0) { $0 + $1.state.board.waitingCount }
  }

  func sessions(of uid: UInt32) -> [SessionDriver] { Self.sorted(sessions.values.filter { $0.uid == uid }) }

  private static func sorted(_ sessions: some Sequence<SessionDriver>) -> [SessionDriver] {
    sessions.sorted { ($0.uid, $0.name) < ($1.uid, $1.name) }
  }

  /// Opens or joins a session, and registers the challenges that the connection takes.
  func open(
    _ parameters: SessionOpenParameters, for peer: Peer, environment: any SessionEnvironment
  ) throws(RPCError) -> (session: SessionDriver, isNew: Bool) {
    let name = try name(for: parameters)
    if let session = sessions[Key(uid: peer.process.uid, name: name)] {
      if let configuration = parameters.configuration {
        let members = configuration.differingMembers(from: session.configuration)
        guard members.isEmpty else {
          throw .sessionConfigurationDiffers(
            "session \(name) has another configuration: \(members.joined(separator: ", "))",
            members: members)
        }
      }
      guard !session.isFinishing else { throw .sessionInvalidated("session \(name) is finishing") }
      try join(session, peer, parameters.delegate)
      return (session, false)
    }
    guard parameters.bySettings || !name.hasPrefix(SettingsName.prefix) else {
      throw .sessionNotFound("no session \(name): those that begin so are named after their settings")
    }
    if parameters.bySettings { endUnusedSettings(of: peer.process.uid) }
    let session = try make(
      name, isNamed: parameters.name != nil || parameters.bySettings,
      parameters.configuration ?? SessionConfiguration(), of: peer.process.uid,
      environment: environment)
    try join(session, peer, parameters.delegate)
    return (session, true)
  }

  private func name(for parameters: SessionOpenParameters) throws(RPCError) -> String {
    if let name = parameters.name { return name }
    guard parameters.bySettings else { return SessionOpen.privatePrefix + Randomness.sessionSuffix() }
    let settings = parameters.configuration ?? SessionConfiguration()
    guard let name = settingsName.name(of: settings, variant: parameters.variant) else {
      throw .internalError("OpenSSL has no SHA-256")
    }
    return name
  }

  /// Each program that chooses new settings makes another session: of too many, the one unused for longest
  /// ends.
  private func endUnusedSettings(of uid: UInt32) {
    let named = sessions.values.filter { $0.uid == uid && $0.isNamedAfterSettings }
    guard named.count >= Limits.settingsSessionsPerUID else { return }
    named.filter { $0.isUnused(for: 0) }.min { $0.lastUse < $1.lastUse }?.invalidate(.idle)
  }

  /// The session that a request names; a named one of the same uid is joined, `default` made on first use. A
  /// restricted connection has only its own.
  func find(
    _ name: String?, for peer: Peer, environment: any SessionEnvironment
  ) throws(RPCError) -> SessionDriver {
    let session = try present(name, for: peer, environment: environment)
    session.catchUp()
    return session
  }

  private func present(
    _ name: String?, for peer: Peer, environment: any SessionEnvironment
  ) throws(RPCError) -> SessionDriver {
    if let restriction = peer.restriction { return try restriction.session(named: name, for: peer) }
    let name = name ?? SessionRegistry.defaultName
    if let session = peer.sessions[name] {
      session.noteUse()
      return session
    }
    guard let session = sessions[Key(uid: peer.process.uid, name: name)], session.isNamed else {
      guard name == SessionRegistry.defaultName else {
        throw .sessionNotFound("no session \(name)")
      }
      let made = try named(name, of: peer.process.uid, environment: environment)
      try join(made, peer, nil)
      return made
    }
    try join(session, peer, nil)
    return session
  }

  /// A named session of the account; made when there is none.
  func named(
    _ name: String, _ configuration: SessionConfiguration = SessionConfiguration(), of uid: UInt32,
    environment: any SessionEnvironment
  ) throws(RPCError) -> SessionDriver {
    if let session = sessions[Key(uid: uid, name: name)] { return session }
    return try make(name, isNamed: true, configuration, of: uid, environment: environment)
  }

  /// What has changed for all sessions of the account.
  func changes(of uid: UInt32) -> AccountChanges {
    if let known = changes[uid] { return known }
    let made = AccountChanges(of: uid) { [unowned self] in sessions.values.filter { $0.uid == uid } }
    changes[uid] = made
    return made
  }

  /// Returns when all sessions have followed.
  func policyChanged() async {
    await joinAll(changes.values) { changes in
      changes.add(.policy)
      await completion { changes.whenFollowed($0) }
    }
  }

  /// It takes no task any more; `ended` follows.
  func remove(_ session: SessionDriver) {
    ending[ObjectIdentifier(session)] = session
    let key = Key(uid: session.uid, name: session.name)
    guard sessions[key] === session else { return }
    sessions[key] = nil
    let left = count(of: session.uid) - 1
    counts[session.uid] = left > 0 ? left : nil
  }

  func ended(_ session: SessionDriver) { ending[ObjectIdentifier(session)] = nil }

  private func join(
    _ session: SessionDriver, _ peer: Peer, _ interest: DelegateInterest?
  ) throws(RPCError) {
    guard peer.hold(session) else {
      // It may have been made for the connection.
      session.remove(peer.identifier)
      throw .overBudget
    }
    session.register(peer.identifier, interest: interest)
  }

  private func make(
    _ name: String, isNamed: Bool, _ configuration: SessionConfiguration, of uid: UInt32,
    environment: any SessionEnvironment
  ) throws(RPCError) -> SessionDriver {
    guard count(of: uid) < Limits.sessionsPerUID else {
      throw .limitExceeded("more than \(Limits.sessionsPerUID) sessions", limit: "sessionsPerUid")
    }
    let charge = MemoryCharge(environment.budget, uid: uid)
    guard charge.grow(by: HeldBytes.session + configuration.heldBytes) else { throw .overBudget }
    environment.vaults.account(of: uid).openAgain()
    let settings = try settings(configuration)
    let session = SessionDriver(
      name: name, isNamed: isNamed, uid: uid, configuration: configuration, charge: charge,
      allowedOrigins: settings.allowedOrigins, ambientOrigins: settings.ambientOrigins,
      proxies: settings.proxies, forms: settings.forms,
      engine: try makeEngine(
        configuration, environment.userRoots(of: uid), of: uid, in: charge.another()),
      environment: environment)
    sessions[Key(uid: session.uid, name: name)] = session
    counts[session.uid, default: 0] += 1
    return session
  }

  private func settings(_ configuration: SessionConfiguration) throws(RPCError) -> SessionSettings {
    let ambient = try origins(
      configuration.methods.negotiate.ambientOrigins,
      path: "params.configuration.methods.negotiate.ambientOrigins")
    return SessionSettings(
      configuration, allowedOrigins: try allowedOrigins(configuration), ambientOrigins: ambient,
      proxies: try proxies(configuration), forms: try forms(configuration))
  }

  /// Other settings of a session, which it can be given: nothing has changed when this throws.
  ///
  /// - Returns: what gives them to the session.
  func prepare(
    _ configuration: SessionConfiguration, for session: SessionDriver
  ) throws(RPCError) -> @ReactorActor () -> Void {
    guard configuration.credentialStorage == session.configuration.credentialStorage else {
      throw .invalidParams("params.configuration.credentialStorage", "is fixed when the session is made")
    }
    let change = SessionConfigurationChange(from: session.configuration, to: configuration)
    guard !change.leadsElsewhere || session.tasks.isEmpty else {
      throw .sessionHasTasks(
        "session \(session.name) runs \(session.tasks.count) tasks, which rest on its settings")
    }
    let settings = try settings(configuration)
    let keepsCookies = !change.leadsElsewhere && configuration.cookies == session.configuration.cookies
    let engine =
      change.concernsConnections
      ? try makeEngine(
        configuration, session.environment.userRoots(of: session.uid), of: session.uid,
        in: session.charge.another(), cookies: keepsCookies ? session.engine.cookies : nil) : nil
    // Tasks that run keep the previous engine.
    let kept = engine != nil && !session.tasks.isEmpty ? HeldBytes.session : 0
    guard session.hasRoom(for: kept + configuration.heldBytes - session.configuration.heldBytes) else {
      engine?.shutDown()
      throw .overBudget
    }
    return { session.configure(settings, over: engine) }
  }

  /// The rules for login pages, with their URLs taken apart.
  private func forms(_ configuration: SessionConfiguration) throws(RPCError) -> [FormRule] {
    guard !configuration.forms.isEmpty else { return [] }
    let path = "params.configuration.forms"
    guard HTMLPage.isReadable else {
      throw .invalidParams(path, "libxml2, which reads pages, is not installed")
    }
    guard configuration.cookies != .never else { throw .invalidParams(path, "a login needs cookies") }
    var rules: [FormRule] = []
    for (index, form) in configuration.forms.enumerated() {
      let path = "\(path)[\(index)].page"
      let isPrefix = form.page.hasSuffix("*")
      let text = isPrefix ? String(form.page.dropLast()) : form.page
      let page = try URLParameter.parse(text, path: path)
      guard page.userinfo == nil, !text.utf8.contains(UInt8(ascii: "#")), !isPrefix || page.query == nil
      else {
        throw .invalidParams(path, "must be a URL without userinfo and fragment, whose path may end in *")
      }
      rules.append(
        FormRule(
          page: page, isPrefix: isPrefix, when: form.when, userField: form.userField,
          passwordField: form.passwordField, success: form.success))
    }
    return rules
  }

  /// The origins of `addresses.allowOrigins`. Each must be valid: a skipped one would be refused later, and
  /// one with a path would allow more than it says.
  private func allowedOrigins(_ configuration: SessionConfiguration) throws(RPCError) -> Set<Origin>? {
    guard let texts = configuration.addresses.allowOrigins else { return nil }
    return try origins(texts, path: "params.configuration.addresses.allowOrigins")
  }

  private func origins(_ texts: [String], path list: String) throws(RPCError) -> Set<Origin> {
    var origins: Set<Origin> = []
    for (index, text) in texts.enumerated() {
      origins.insert(try URLParameter.origin(text, path: "\(list)[\(index)]"))
    }
    return origins
  }

  private func proxies(_ configuration: SessionConfiguration) throws(RPCError) -> ProxyRules? {
    guard case .listed(let list) = configuration.proxies else { return nil }
    return try ProxyRules(list, .session, path: "params.configuration.proxies")
  }

  private func makeEngine(
    _ configuration: SessionConfiguration, _ userRoots: UserRoots, of uid: UInt32, in memory: any HeldMemory,
    cookies: SessionCookies? = nil
  ) throws(RPCError) -> any ExchangeEngine {
    do throws(EngineFault) {
      var settings = EngineConfiguration(configuration)
      settings.uid = uid
      settings.userRoots = configuration.tls.counted(userRoots).pem
      return try engineMaker(settings, memory, cookies)
    } catch {
      switch error {
      case .rootsUnreadable:
        throw .invalidParams("params.configuration.tls.roots.certificates", "are no PEM certificates")
      case .tooManyRoots(let maximum):
        throw .invalidParams("params.configuration.tls.roots.certificates", "more than \(maximum)")
      case .revocationListsUnreadable:
        throw .invalidParams(
          "params.configuration.tls.revocationLists", "are no PEM revocation lists, or too many")
      case .resolveEntry(let entry):
        throw .invalidParams(
          "params.configuration.addresses.resolve.\(entry.prefix(64))",
          "must be \"host:port\": \"address\", each host and port once")
      case .outOfMemory: throw .internalError("out of memory")
      }
    }
  }
}

extension EngineConfiguration {
  fileprivate init(_ configuration: SessionConfiguration) {
    self.init()
    connectionsPerHost = configuration.connectionsPerHost
    allowsHTTP2 = configuration.httpVersions.contains(.http2)
    minimumTLSVersion = configuration.tls.minimumVersion
    maximumTLSVersion = configuration.tls.maximumVersion
    extraRoots = configuration.tls.roots
    exclusiveRoots = configuration.tls.rootsAreExclusive
    revocation = configuration.tls.revocation
    revocationLists = configuration.tls.revocationLists
    resolve = configuration.addresses.resolve.map { ($0.hostAndPort, $0.address) }
    refusesPrivateAddresses = configuration.addresses.refusePrivate
    cookiePolicy = configuration.cookies
    decodedBodyBytes = configuration.limits.decodedBodyBytes
  }
}
