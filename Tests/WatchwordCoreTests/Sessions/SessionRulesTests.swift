import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a session stores where, what it tells its holders, and when it is empty.
struct SessionRulesTests {
  private static let proxySpace = ProtectionSpace(
    origin: Origin(scheme: .http, host: "p.example", port: 1080), realm: nil, authenticationMethod: .basic,
    proxyType: .socks5)

  // MARK: Where it is stored (storage.md 9.1.1)

  private static func state(isSynchronized: Bool, isShared: Bool) -> SessionState {
    var configuration = SessionConfiguration()
    configuration.credentialStorage = isShared ? .shared : .private
    return SessionState(
      configuration: configuration, allowedOrigins: nil,
      surroundings: SessionSurroundings(
        challengeIdentifier: { "c" }, clientNonce: { "n" },
        resolve: { location, _ in .resolved(TaskScene.url("/n", host: location)) },
        process: { BoardScene.process($0.number) }, isSynchronized: isSynchronized),
      moment: SessionScene.moment(now: 0))
  }

  private typealias Fault = SessionState.PersistenceFault

  private static func place(
    _ persistence: Persistence, of kind: SessionState.StoredKind = .password, isReply: Bool = false,
    isSynchronized: Bool = true, isShared: Bool = true
  ) -> Result<SessionState.StoragePlace, SessionState.PersistenceFault> {
    Result { () throws(SessionState.PersistenceFault) in
      try state(isSynchronized: isSynchronized, isShared: isShared)
        .place(for: persistence, of: kind, isReply: isReply)
    }
  }

  @Test func everyPersistenceHasItsPlace() {
    #expect(Self.place(.none) == .failure(.nothingToStore))
    #expect(Self.place(.none, isReply: true) == .success(.waitingTasks))
    #expect(Self.place(.forSession) == .success(.session))
    #expect(Self.place(.permanent, isSynchronized: false) == .success(.account))
    #expect(Self.place(.permanent, isShared: false) == .failure(.privateStorage))
    #expect(Self.place(.synchronizable) == .success(.account))
    #expect(Self.place(.synchronizable, isSynchronized: false) == .failure(.notDistributed))
    #expect(Self.place(.synchronizable, isShared: false) == .failure(.privateStorage))
  }

  @Test func noVaultKeepsWhatIsElsewhere() {
    let all: [SessionState.StoredKind] = [
      .password, .token, .decision, .identity, .tokenIdentity, .kerberos,
    ]
    for kind in all {
      let isElsewhere = kind == .tokenIdentity || kind == .kerberos
      #expect(
        Self.place(.permanent, of: kind) == (isElsewhere ? .failure(.memoryOnly(kind)) : .success(.account)))
      let isShared = kind == .password || kind == .token
      #expect(
        Self.place(.synchronizable, of: kind) == (isShared ? .success(.account) : .failure(.notShared(kind))))
    }
  }

  // MARK: Empty or not

  enum Content: CaseIterable { case nothing, holder, task, credential, trust, identity }

  @Test(arguments: Content.allCases) func aSessionHoldsNothingOnlyWithoutAnything(_ content: Content) {
    var scene = SessionScene()
    switch content {
    case .nothing: break
    case .holder: scene.delegate(1)
    case .task: _ = scene.add(of: nil)
    case .credential:
      scene.state.memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: nil, now: 0)
    case .trust:
      let trust = TrustScene.trust()
      scene.state.trust.record(TrustDecision(trust, for: TrustScene.origin), about: trust, now: 0)
    case .identity: _ = scene.state.identities.add(.of("mine", issuers: []), now: 0)
    }
    #expect(scene.state.holdsNothing == (content == .nothing))
  }

  // MARK: Told to the holders (storage.md 9.6.10)

  private static func changes(_ count: Int) -> [(key: CredentialKey, change: CredentialChange)] {
    (0..<count).map { (CredentialKey(space: TaskScene.space("r\($0)"), user: "joe"), .added) }
  }

  private static func identityChange(_ change: CredentialChange) -> PermanentIdentityChange {
    let kept = KeptIdentity(.of("mine", issuers: []), certificates: "c", privateKey: TaskScene.secret("k"))
    return PermanentIdentityChange(
      PermanentIdentities.StoredIdentity(number: 1, kept, for: nil, record: UseRecord(created: 0)), change)
  }

  @Test(arguments: [1, 64, 65]) func ofManyChangesOnlyTheNumberIsTold(count: Int) {
    var scene = SessionScene()
    scene.delegate(1)
    var alteration = PermanentCredentials.Alteration()
    alteration.changes = Self.changes(count)
    scene.take { state in state.permanentChanged(alteration) }
    #expect(scene.names == (count > 64 ? ["announce 65"] : Array(repeating: "announce added", count: count)))
    scene.take { state in
      state.permanentIdentitiesChanged(Array(repeating: Self.identityChange(.added), count: count))
    }
    #expect(scene.names.first == "close somethingIsNew")
    #expect(scene.names.count == 1 + (count > 64 ? 1 : count))
  }

  /// A connection may depend on an identity, a proxy's or a connection-bound credential that is gone.
  @Test(arguments: [CredentialChange.added, .replaced, .removed])
  func whatIsGoneEndsConnections(_ change: CredentialChange) {
    var scene = SessionScene()
    let isGone = change != .added
    scene.take { state in
      state.permanentIdentitiesChanged([Self.identityChange(change)])
    }
    #expect(scene.names.first == (isGone ? "close somethingIsGone" : "close somethingIsNew"))
    for (space, closes) in [(TaskScene.space(), false), (Self.proxySpace, true)] {
      var alteration = PermanentCredentials.Alteration()
      alteration.changes = [(CredentialKey(space: space, user: "joe"), change)]
      scene.take { state in state.permanentChanged(alteration) }
      #expect(scene.names.contains("close somethingIsGone") == (closes && isGone))
      #expect(scene.names.last == "announce \(change)")
    }
  }

  @Test(arguments: [("joe", 1), ("ann", 0)]) func aRemovedCredentialOfAProxyEndsItsTunnels(
    user: String, count: Int
  ) {
    var scene = SessionScene()
    for space in [TaskScene.space(), Self.proxySpace] {
      scene.state.memory.store(TaskScene.password("x"), for: space, owner: nil, now: 0)
    }
    _ = scene.state.memory.takeChanges()
    for space in [TaskScene.space(), Self.proxySpace] {
      var removed = 0
      scene.take { state in
        let (number, effects) = state.removeCredentials(for: [space], user: user)
        removed = number
        return effects
      }
      #expect(removed == count)
      let isClosed = scene.names.contains("close somethingIsGone")
      #expect(isClosed == (count > 0 && space.isProxy))
    }
  }

  @Test(arguments: [nil, "mine", "other"] as [String?]) func onlyTheNamedIdentityIsForgotten(_ name: String?)
  {
    var scene = SessionScene()
    let identities = ["mine", "other", "third"].map { Identity.of($0, issuers: []) }
    for identity in identities { _ = scene.state.identities.add(identity, now: 0) }
    let identifier = name.flatMap { name in identities.first { $0.certificate.subject == name }?.identifier }
    var removed = 0
    scene.take { state in
      let (number, effects) = state.removeIdentities(identifier)
      removed = number
      return effects
    }
    #expect(removed == (name == nil ? 3 : 1) && scene.state.identities.count == 3 - removed)
    #expect(scene.names == ["releaseKeys", "close somethingIsGone"])
    scene.take { state in state.removeIdentities("nobody").1 }
    #expect(scene.names.isEmpty)
  }

  @Test func identitiesThatAreOverEndConnections() {
    var scene = SessionScene()
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 10
    scene.take { state in state.add(.of("mine", issuers: []), limits: limits).1 }
    #expect(scene.names == ["close somethingIsNew"])
    scene.now = 9
    scene.take { $0.forgetExpiredIdentities() }
    #expect(scene.names.isEmpty && scene.state.identities.count == 1)
    scene.now = 10
    scene.take { $0.forgetExpiredIdentities() }
    #expect(scene.names == ["releaseKeys", "close somethingIsNew"] && scene.state.identities.count == 0)
  }

  // MARK: Who leaves

  /// Tasks that outlive their connection go on (messages.md 5.6).
  @Test(arguments: [false, true], [1, 2] as [UInt64])
  func aConnectionThatLeavesEndsItsOwnTasks(_ isDetached: Bool, _ peer: UInt64) {
    for isRestricted in [false, true] {
      var scene = SessionScene()
      for peer: UInt64 in [1, 2] { scene.take { $0.register(PeerIdentifier(peer), interest: nil) } }
      let task = scene.begin(of: peer, isDetached: isDetached)
      if isRestricted {
        scene.state.add(Restriction([], expires: nil, now: 0), as: RestrictionIdentifier(1))
        scene.take { $0.restrict(PeerIdentifier(1), by: RestrictionIdentifier(1)) }
      } else {
        scene.take { $0.remove(PeerIdentifier(1)) }
      }
      #expect((task.machine.phase == .finished) == (peer == 1 && !isDetached))
    }
  }

  // MARK: Requests

  @Test(arguments: [false, true], [false, true])
  func aPrivateAddressIsNotReachedThroughAProxy(_ hasProxy: Bool, _ refusesPrivate: Bool) {
    var configuration = SessionConfiguration()
    configuration.addresses.refusePrivate = refusesPrivate
    var scene = SessionScene(configuration)
    var rules = ProxyRules(.task)
    rules.all = ProxyRules.Setting(
      name: "all", proxy: Proxy(.http, url: TaskScene.url("/", host: "p.example")))
    var request = TaskRequest(
      identifier: TaskIdentifier(9),
      firstStep: RequestStep(url: TaskScene.url(), method: "GET", headers: [], body: .none))
    if hasProxy { request.proxies = .rules(rules) }
    let other = scene.state.add(request)
    scene.take { $0.handle(.begin, of: other) }
    #expect(scene.names == [hasProxy && refusesPrivate ? "finish 9 addressRefused" : "send 9"])
  }

  @Test(arguments: [(nil, 3, 3), (nil, 99, 99), (1, 3, 3), (1, 99, 20)] as [(UInt64?, Int, Int)])
  func aRestrictedTaskFollowsNoMoreRedirectsThanItsSession(restriction: UInt64?, limit: Int, expected: Int) {
    var configuration = SessionConfiguration()
    configuration.redirects.limit = 20
    var scene = SessionScene(configuration)
    scene.take { $0.register(PeerIdentifier(2), interest: nil) }
    if let restriction {
      scene.state.add(Restriction([], expires: nil, now: 0), as: RestrictionIdentifier(restriction))
      scene.take { $0.restrict(PeerIdentifier(2), by: RestrictionIdentifier(restriction)) }
    }
    var request = TaskRequest(
      identifier: TaskIdentifier(9),
      firstStep: RequestStep(url: TaskScene.url(), method: "GET", headers: [], body: .none))
    request.peer = PeerIdentifier(2)
    request.redirectLimit = limit
    let task = scene.state.add(request)
    #expect(task.machine.redirectPolicy.limit == expected)
    #expect(
      !request.isDetached && request.exchanges.decodesContent && !task.machine.isPreemptive
        && task.machine.mechanismInUse == nil)
  }

  @Test func whatNoRefusalNamesIsNotTold() {
    var scene = SessionScene()
    let task = scene.begin()
    scene.respond(401, [HeaderField("WWW-Authenticate", "Hawk realm=\"r\"")], to: task)
    #expect(
      task.machine.unusableOffers(of: 401).count == 1 && task.machine.unusableOffers(of: 200).count == 0)
    #expect(
      task.machine.unusableOffers(of: 403).count == 0 && task.machine.responseHash == nil
        && !task.machine.isLoginPage)
  }

  /// A stream that has begun cannot be sent once more (messages.md 5.4.2).
  @Test(arguments: [false, true], [RequestStep.Body.notReplayable, .replayable])
  func aBodyThatIsGoneIsNotSentAgain(_ hasBegun: Bool, _ body: RequestStep.Body) {
    var scene = SessionScene()
    scene.delegate(1)
    let task = scene.begin(body: body)
    #expect(scene.names == ["send 1"])
    if hasBegun { scene.state.bodyBegan(of: task) }
    scene.state.memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: nil, now: 0)
    scene.refuse(TaskScene.basic(), task)
    let isGone = hasBegun && body == .notReplayable
    #expect(scene.names.contains("finish 1 bodyNotReplayable") == isGone)
    #expect(scene.names.contains("send 1") == !isGone)
  }
}
