import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a session makes of a request: its limits, its connection, and who is told of its end.
struct SessionRequestTests {
  private static let restriction = RestrictionIdentifier(1)
  private static let proxyOrigin = Origin(scheme: .http, host: "p.example", port: 3128)
  private static let cleartext = TaskScene.url(scheme: .http)

  private static func rules(_ type: ProxyType = .http, userinfo: RequestURL.Userinfo? = nil) -> ProxyRules {
    var rules = ProxyRules(.task)
    let scheme: WebScheme = type == .https ? .https : .http
    let origin = Origin(scheme: scheme, host: proxyOrigin.host, port: proxyOrigin.port)
    rules.all = ProxyRules.Setting(
      name: "all",
      proxy: Proxy(type, url: RequestURL(origin: origin, path: "/", query: nil, userinfo: userinfo)))
    return rules
  }

  /// A task that has not begun.
  private static func add(
    _ scene: inout SessionScene, _ url: RequestURL = TaskScene.url(), method: String = "GET",
    headers: [HeaderField] = [], body: RequestStep.Body = .none, through rules: ProxyRules? = nil,
    of peer: UInt64 = 1, _ change: (inout TaskRequest) -> Void = { _ in }
  ) -> SessionTask {
    var request = TaskRequest(
      identifier: TaskIdentifier(UInt64(scene.state.tasks.count + 1)),
      firstStep: RequestStep(url: url, method: method, headers: headers, body: body))
    request.peer = PeerIdentifier(peer)
    request.process = BoardScene.process(peer)
    request.proxies = rules.map { .rules($0) } ?? .ofSession
    change(&request)
    return scene.state.add(request)
  }

  private static func restrict(_ scene: inout SessionScene, requestBytes: Int64? = nil) throws {
    let path = try #require(PathPattern(TaskScene.url("/d/"), isPrefix: true))
    let rule = RestrictionRule(
      methods: nil, origin: TaskScene.origin, path: path, addedFields: ["x-name"], requestBytes: requestBytes)
    scene.state.add(Restriction([rule], expires: nil, now: 0), as: restriction)
    scene.take { $0.register(PeerIdentifier(2), interest: nil) }
    scene.take { $0.restrict(PeerIdentifier(2), by: restriction) }
  }

  // MARK: Restricted tasks

  @Test(arguments: RedirectPolicy.Mode.allCases)
  func aRestrictedTaskIsNotAskedAboutRedirects(_ mode: RedirectPolicy.Mode) throws {
    var configuration = SessionConfiguration()
    configuration.redirects.mode = mode
    var scene = SessionScene(configuration)
    try Self.restrict(&scene)
    let restricted = Self.add(&scene, of: 2)
    #expect(restricted.machine.redirectPolicy.mode == (mode == .ask ? .follow : mode))
    #expect(Self.add(&scene).machine.redirectPolicy.mode == mode)
  }

  @Test func theTasksOfARestrictionAreCounted() throws {
    var scene = SessionScene()
    try Self.restrict(&scene)
    let tasks = [Self.add(&scene, of: 2), Self.add(&scene, of: 2), Self.add(&scene)]
    #expect(scene.state.restrictions[Self.restriction]?.tasks == 2)
    for task in tasks.dropFirst() { scene.take { $0.remove(task) } }
    #expect(scene.state.restrictions[Self.restriction]?.tasks == 1)
  }

  @Test func onlyTheFieldsOfARestrictedTaskNeedARule() throws {
    var scene = SessionScene()
    try Self.restrict(&scene)
    let fields = [HeaderField("Accept", "x"), HeaderField("X-Name", "x"), HeaderField("X-Other", "x")]
    #expect(Self.add(&scene, headers: fields).addedFields == [])
    #expect(Self.add(&scene, headers: fields, of: 2).addedFields == ["x-name", "x-other"])
  }

  /// A body that is sent counts, and a request without one has no bytes.
  @Test func theBytesOfARestrictedRequestAreBounded() throws {
    for (bytes, isAllowed) in [(10, true), (11, false)] as [(Int64, Bool)] {
      var scene = SessionScene()
      try Self.restrict(&scene, requestBytes: 10)
      let posted = Self.add(&scene, method: "POST", body: .replayable, of: 2) { $0.bodyBytes = bytes }
      scene.take { $0.handle(.begin, of: posted) }
      #expect(scene.names == [isAllowed ? "send 1" : "finish 1 restricted"])
      let fetched = Self.add(&scene, of: 2) { $0.bodyBytes = bytes }
      scene.take { $0.handle(.begin, of: fetched) }
      #expect(scene.names == ["send 2"])
      #expect((fetched.failure(sending: bytes) == nil) == isAllowed)
      #expect(Self.add(&scene).failure(sending: bytes) == nil)
    }
  }

  @Test func aRestrictedConnectionSeesNoCredentialsOfResponses() throws {
    var scene = SessionScene()
    try Self.restrict(&scene)
    let head = ResponseHead(
      status: 200, headers: [HeaderField("Set-Cookie", "a=b"), HeaderField("Accept", "x")])
    #expect(Self.add(&scene, of: 2).shown(head).headers.map(\.name) == ["Accept"])
    #expect(Self.add(&scene).shown(head) == head)
  }

  @Test(
    arguments: [
      (["x-api-key"], ["x_api_key"], true), (["x-api-key"], ["x.api.key"], true), (["a"], ["b"], false),
      ([], ["a"], false), (["a"], [], false), (["a", "b"], ["c", "b"], true),
    ] as [(Set<String>, Set<String>, Bool)])
  func aFieldReplacesOneWithTheSameVariable(_ ours: Set<String>, _ given: Set<String>, _ isReplaced: Bool) {
    #expect(RestrictedFields.replace(ours, given) == isReplaced)
  }

  // MARK: Connections

  /// Whether a handshake may stop to ask for a client certificate.
  @Test func onlyTLSWithADelegateAsksForAnIdentity() {
    let ways: [(RequestURL, ProxyType?, hasDelegate: Bool, isAsked: Bool)] = [
      (TaskScene.url(), nil, true, true), (TaskScene.url(), nil, false, false),
      (Self.cleartext, nil, true, false), (Self.cleartext, .https, true, true),
      (Self.cleartext, .http, true, false), (TaskScene.url(), .http, true, true),
      (Self.cleartext, .https, false, false),
    ]
    for (url, proxy, hasDelegate, isAsked) in ways {
      var scene = SessionScene()
      if hasDelegate { scene.delegate(1, [.clientCertificate]) }
      let task = Self.add(&scene, url, through: proxy.map { Self.rules($0) })
      scene.take { $0.handle(.begin, of: task) }
      let found = scene.effects.compactMap { effect in
        if case .send(_, _, _, let isAsked) = effect { isAsked } else { nil }
      }
      #expect(found == [isAsked], "\(url.text) \(String(describing: proxy)) \(hasDelegate)")
    }
  }

  @Test(arguments: [false, true], [false, true])
  func aConnectionIsAskedForIdentitiesWhereTheServerAndADelegateDo(_ hasAsked: Bool, _ hasDelegate: Bool) {
    var scene = SessionScene()
    if hasDelegate { scene.delegate(1, [.clientCertificate]) }
    if hasAsked { scene.state.identities.note(asking: TaskScene.origin) }
    let task = Self.add(&scene)
    let partition = scene.state.partition(for: task, to: TaskScene.origin, through: nil)
    #expect(partition.isAskedForIdentities == (hasAsked && hasDelegate))
  }

  /// The state of TLS and HTTP/2 matters only where there is TLS, on the way or at its end.
  @Test func theVersionsOfATaskPartTheConnectionsThatTheyConcern() {
    let versions = AllowedVersions(minimumTLS: .tls13, maximumTLS: .tls13, allowsHTTP2: true)
    let ways: [(RequestURL, ProxyType?, isParted: Bool)] = [
      (TaskScene.url(), nil, true), (Self.cleartext, nil, false), (Self.cleartext, .http, false),
      (Self.cleartext, .https, true),
    ]
    for (url, proxy, isParted) in ways {
      var scene = SessionScene()
      let task = Self.add(&scene, url, through: proxy.map { Self.rules($0) }) { $0.versions = versions }
      let way = proxy.flatMap { Self.rules($0).all?.proxy }.map { ProxyHop($0, to: url.origin) }
      let partition = scene.state.partition(for: task, to: url.origin, through: way)
      #expect((partition.versions == versions) == isParted, "\(url.text) \(String(describing: proxy))")
    }
  }

  /// What goes to a SOCKS proxy is a part of the request (methods.md 8.1).
  @Test func aRequestIsTakenBackWhenTheCredentialOfItsSOCKSProxyChanges() {
    func space(_ type: ProxyType?, _ origin: Origin = Self.proxyOrigin) -> ProtectionSpace {
      ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .basic, proxyType: type)
    }
    let credential = TaskScene.password("x")
    for (type, isLogin) in [(ProxyType.socks5, true), (.http, false)] {
      var scene = SessionScene()
      let userinfo = RequestURL.Userinfo(user: "joe", password: TaskScene.secret("y"))
      let task = Self.add(&scene, through: Self.rules(type, userinfo: userinfo))
      scene.take { $0.handle(.begin, of: task) }
      if isLogin {
        scene.take {
          $0.handle(.exchangeEnded(.proxyAuthenticationRequired(nil), body: .empty), of: task)
        }
      }
      #expect(scene.names == ["send 1"])
      let spaces = [space(type), space(nil), space(type, TaskScene.origin)]
      for (index, space) in spaces.enumerated() {
        scene.take { $0.store(credential, for: [space], isDefault: true, owner: nil) }
        #expect(scene.names.contains("takeBack 1") == (isLogin && index == 0), "stored \(type) \(index)")
      }
      for (user, isRemoved) in [("ann", false), ("joe", true)] {
        scene.take { $0.removeCredentials(for: [space(type)], user: user).1 }
        #expect(scene.names.contains("takeBack 1") == (isLogin && isRemoved), "removed \(type) \(user)")
      }
      for change in [CredentialChange.added, .removed] {
        var alteration = PermanentCredentials.Alteration()
        alteration.changes = [(CredentialKey(space: space(type), user: "joe"), change)]
        scene.take { state in state.permanentChanged(alteration) }
        #expect(scene.names.contains("takeBack 1") == (isLogin && change == .removed), "\(type) \(change)")
      }
      scene.take { $0.reset() }
      #expect(scene.names.contains("takeBack 1") == isLogin, "reset \(type)")
    }
  }

  // MARK: Who authenticates

  /// What `explain` says of a request with fields of its own.
  @Test func aFieldOfTheCallersIsExpectedInPlaceOfACredential() throws {
    var scene = SessionScene()
    let fields = [HeaderField("Authorization", "x"), HeaderField("Proxy-Authorization", "x")]
    for (type, isCallers) in [(ProxyType.http, true), (.socks5, false)] {
      for field in [nil] + fields {
        let (_, proxy) = scene.state.proxyProspect(
          for: TaskScene.url(), through: .rules(Self.rules(type)), method: "GET",
          headers: field.map { [$0] } ?? [],
          process: 1)
        let isForProxy = field?.name == "Proxy-Authorization"
        #expect((proxy.expectation == .callersField) == (isForProxy && isCallers))
        let origin = scene.state.prospect(
          for: TaskScene.url(), method: "GET", headers: field.map { [$0] } ?? [], process: 1
        )
        #expect((origin.expectation == .callersField) == (field?.name == "Authorization"))
      }
    }
  }

  @Test func theAcceptedUserOfAProxysURLIsNoDefault() {
    var scene = SessionScene()
    let userinfo = RequestURL.Userinfo(user: "joe", password: TaskScene.secret("x"))
    let task = Self.add(&scene, Self.cleartext, through: Self.rules(userinfo: userinfo))
    scene.take { $0.handle(.begin, of: task) }
    scene.respond(407, [HeaderField("Proxy-Authenticate", TaskScene.basic())], to: task)
    #expect(scene.names.last == "send 1")
    _ = scene.state.proxyAuthorization(of: task)
    scene.respond(200, to: task)
    let entry = scene.state.memory.all.first
    #expect(entry?.credential.user == "joe" && entry?.isDefault == false && entry?.isFromURL == true)
  }

  // MARK: Ends

  @Test func aResumedTaskGoesOn() {
    var scene = SessionScene()
    let task = scene.begin()
    scene.take { $0.suspend(task) }
    scene.respond(200, to: task)
    #expect(!scene.names.contains("finish 1") && task.isSuspended)
    scene.take { $0.resume(task) }
    #expect(scene.names == ["finish 1"] && !task.isSuspended)
    let other = scene.begin()
    scene.take { $0.suspend(other) }
    scene.take { $0.resume(other) }
    scene.respond(200, to: other)
    #expect(scene.names.contains("finish 2"))
  }

  @Test func aTaskThatIsStoppedLetsTheNextOneTry() {
    var scene = SessionScene()
    let space = TaskScene.space()
    scene.take {
      $0.store(TaskScene.password("x"), for: [space], isDefault: true, owner: nil)
    }
    let tasks = [scene.begin(), scene.begin()]
    for task in tasks { scene.refuse(TaskScene.basic(), task) }
    #expect(!scene.names.contains("send 2"))
    scene.take { $0.stop(tasks[0], .cancelled) }
    #expect(scene.names == ["passed 2 origin 401", "send 2"])
  }

  @Test func onlyATaskWithALentKeyReleasesIt() {
    var scene = SessionScene()
    let task = scene.begin()
    scene.respond(200, to: task)
    scene.take { $0.remove(task) }
    #expect(scene.names == [])
  }

  /// Each task that begins, sends or asks while the agent is locked waits once (storage.md 9.11).
  @Test func aLockedAgentLetsATaskWaitOnce() {
    for isRefused in [true, false] {
      var scene = SessionScene()
      scene.delegate(1, [.basic, .agentUnlock])
      let task = scene.begin()
      scene.take { $0.lock() }
      if isRefused {
        scene.refuse(TaskScene.basic(), task)
      } else {
        scene.respond(302, [HeaderField("Location", "b.example")], to: task)
      }
      #expect(scene.names.filter { $0 == "beginWait 1" }.count == 1, "\(scene.names)")
      #expect(!scene.names.contains("send 1"))
      let later = scene.begin()
      #expect(scene.names.filter { $0 == "beginWait 2" }.count == 1 && later.isHeld)
    }
  }

  @Test func whatIsKeptOnTheDiskIsOnItBeforeTheTaskEnds() throws {
    var scene = SessionScene()
    scene.delegate(1)
    let task = scene.begin()
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", .useCredential, TaskScene.password("x", .permanent))
    scene.respond(200, to: task)
    #expect(scene.names.contains("keep 1") && !scene.names.contains("finish 1"))
    let keep = scene.effects.lazy.compactMap { effect in
      if case .keep(_, _, let key, _, let generation) = effect { (key, generation) } else { nil }
    }.first
    let (key, generation) = try #require(keep)
    scene.take { state in state.kept(key, generation: generation, as: 1, by: task.identifier) }
    #expect(scene.names == ["finish 1"])
  }

  // MARK: Authenticated connections

  /// A session with an authenticated connection that no task uses any more.
  private static func authenticated(_ scene: inout SessionScene) throws {
    scene.delegate(1, [.negotiate])
    let task = scene.begin()
    scene.refuse("Negotiate", task)
    try scene.reply("c1", .useCredential, TaskScene.password("x"))
    #expect(scene.names.contains("negotiate 1"))
    scene.take {
      $0.handle(.negotiated(.token(TaskScene.secret("t"), isComplete: false)), of: task)
    }
    #expect(scene.names == ["passed 1 origin 401", "send 1"])
    let head = ResponseHead(status: 200, headers: TaskScene.proof(TaskScene.serverToken))
    scene.take { $0.handle(.received(head), of: task) }
    #expect(scene.names.contains("negotiate 1 answer"))
    scene.take { $0.handle(.negotiated(.established(.kerberos)), of: task) }
    #expect(task.machine.mechanismInUse == .kerberos && task.machine.methodInUse == .negotiate)
    scene.take { $0.handle(.exchangeEnded(nil, body: .empty), of: task) }
    #expect(scene.names.last == "finish 1")
    scene.take { $0.remove(task) }
  }

  private static let negotiated = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .negotiate)

  @Test func aRemovedCredentialClosesItsConnections() throws {
    var scene = SessionScene()
    try Self.authenticated(&scene)
    scene.take { $0.removeCredentials(for: [Self.negotiated], user: nil).1 }
    #expect(!scene.names.contains("finish 1"))
    scene.take { $0.forgetExpiredCredentials() }
    let later = scene.begin()
    #expect(scene.names.contains("close partitionIsOver") && scene.names.contains("send 2"))
    #expect(later.machine.mechanismInUse == nil)
  }

  /// What cannot be answered, of an origin and of a proxy.
  @Test func whatARefusalNamesIsToldOfItsOwnHop() {
    var scene = SessionScene()
    let task = Self.add(&scene, Self.cleartext, through: Self.rules())
    scene.take { $0.handle(.begin, of: task) }
    scene.respond(407, [HeaderField("Proxy-Authenticate", "Hawk")], to: task)
    #expect(
      task.machine.unusableOffers(of: 407).count == 1 && task.machine.unusableOffers(of: 401).count == 0)
  }
}
