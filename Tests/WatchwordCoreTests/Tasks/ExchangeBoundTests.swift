import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A task whose exchanges lead nowhere ends (challenges.md 13.14).
struct ExchangeBoundTests {
  /// What the task does when the exchange comes that is one too many.
  enum Next: CaseIterable {
    case retriesWithANonce
    case retriesWithAStoredCredential
    case repeatsALostRequest
    case repeatsRefusedAsSent
    case beginsAHandshakeAgain
    case answersAProxy
    case answersATunnel
  }

  private var cache = CredentialCache()

  private static func proxies(_ scheme: WebScheme) -> ProxyRules {
    var rules = ProxyRules(.session)
    let proxy = Proxy(.http, url: TaskScene.url("/", host: "proxy.example", scheme: .http))
    let entry = ProxyRules.Entry(name: "p", proxy: proxy)
    if scheme == .http { rules.http = entry } else { rules.https = entry }
    return rules
  }

  /// Leads the task to its next exchange; it had made so many before.
  private mutating func run(_ next: Next, after count: Int) -> TaskScene {
    let isProxied = [.answersAProxy, .answersATunnel].contains(next)
    let scheme: WebScheme = next == .answersAProxy ? .http : .https
    var policy = MethodPolicy()
    policy.basicOverCleartext = true
    var scene = TaskScene(
      TaskScene.url(scheme: scheme), policy: policy, proxies: isProxied ? Self.proxies(scheme) : nil)
    let proxy = ProtectionSpace(
      origin: Origin(scheme: .http, host: "proxy.example", port: 80), realm: OctetString("r"),
      authenticationMethod: .basic, proxyType: .http)
    scene.begin(&cache)
    for _ in 0..<count { scene.machine.bound.noteExchange() }
    switch next {
    case .retriesWithANonce:
      cache.store(TaskScene.password("x"), for: TaskScene.space("r", .digest), owner: 1, now: 0)
      scene.refuse(TaskScene.digest("n"), cache: &cache)
    case .retriesWithAStoredCredential:
      cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
      scene.refuse(TaskScene.basic(), cache: &cache)
    case .repeatsALostRequest:
      scene.endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)), &cache)
    case .repeatsRefusedAsSent:
      scene.head(421, [], &cache)
      scene.end(&cache)
    case .beginsAHandshakeAgain:
      scene.endAlone(.serverTrustUndecided(TrustScene.trust()), &cache)
      scene.answer(.useStored, &cache)
    case .answersAProxy:
      cache.store(TaskScene.password("x"), for: proxy, owner: 1, now: 0)
      scene.refuseAtProxy(TaskScene.basic(), cache: &cache)
    case .answersATunnel:
      cache.store(TaskScene.password("x"), for: proxy, owner: 1, now: 0)
      scene.refuseTunnel(TaskScene.basic(), cache: &cache)
    }
    return scene
  }

  @Test(arguments: Next.allCases) mutating func theSixtyFifthExchangeIsNotMade(_ next: Next) {
    let scene = run(next, after: 63)
    #expect(scene.failure == .tooManyExchanges && scene.sent == nil)
    #expect(scene.effects.contains { if case .warnOfExchanges = $0 { true } else { false } })
  }

  @Test(arguments: Next.allCases) mutating func theSixtyFourthIsMade(_ next: Next) {
    let scene = run(next, after: 62)
    #expect(scene.failure == nil && scene.sent != nil)
  }

  @Test mutating func aRedirectIsProgress() {
    var scene = TaskScene()
    scene.begin(&cache)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    scene.redirect(to: "b.example", cache: &cache)
    #expect(scene.sent != nil)
  }

  @Test mutating func anAnswerIsProgress() {
    var scene = TaskScene()
    scene.begin(&cache)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.sent != nil)
  }

  @Test mutating func theRefusalOfAnotherCredentialIsProgress() {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    cache.store(TaskScene.password("y"), for: TaskScene.space(), owner: 1, now: 0)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.sent != nil)
  }

  @Test mutating func aRequestThatIsTakenBackIsNoExchange() {
    var scene = TaskScene()
    scene.begin(&cache)
    for _ in 0..<100 { scene.takeBack(&cache) }
    #expect(scene.sent != nil)
  }

  // MARK: What would have no end

  private struct Kept: ~Copyable {
    var scene: SessionScene
    var permanent: PermanentCredentials
  }

  /// A session whose task has been answered with a permanent credential, and the account that keeps it.
  private static func kept(uses: Int) throws -> Kept {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    var scene = SessionScene()
    var permanent = PermanentCredentials()
    var identities = PermanentIdentities()
    scene.delegate(1)
    let task = scene.begin()
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", .useCredential, TaskScene.password("x", .permanent, limits: limits))
    scene.respond(200, to: task)
    for effect in scene.effects {
      guard case .keep(_, let credential, let key, let ways, let generation) = effect else { continue }
      let change = PermanentCredentials.Change.store(
        credential, for: [key.space], isDefault: true, over: ways)
      let plan = try permanent.plan(change, now: 0)
      _ = permanent.apply(plan)
      let number = permanent.entry(key)?.generation
      scene.take { state, _ in
        _ = state.lend(&permanent, &identities, under: TrustPolicy())
        defer { state.giveBack(&permanent, &identities) }
        return state.kept(key, generation: generation, as: number, by: task.identifier)
      }
    }
    return Kept(scene: scene, permanent: permanent)
  }

  @Test(arguments: [1, 2, 3]) func aPermanentReplyHasAsManyUsesAsItsLimit(_ uses: Int) throws {
    var kept = try Self.kept(uses: uses)
    var identities = PermanentIdentities()
    _ = kept.scene.state.lend(&kept.permanent, &identities, under: TrustPolicy())
    for _ in 1..<uses {
      let task = kept.scene.begin()
      let moment = kept.scene.moment
      #expect(kept.scene.state.authorization(of: task, at: moment) != nil)
      _ = kept.scene.state.take(.received(ResponseHead(status: 200, headers: [])), of: task, at: moment)
      _ = kept.scene.state.take(.exchangeEnded(nil, body: .empty), of: task, at: moment)
    }
    // The next one is asked about, without another request.
    let task = kept.scene.begin()
    kept.scene.refuse(TaskScene.basic(), task)
    #expect(kept.scene.notices == ["c2 to 1"])
    #expect(kept.scene.authorizations == [])
  }

  @Test mutating func whatWasGoneIsNotChosenAgain() {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 10
    let key = cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    // A fault of another rule: the cache finds what it does not send.
    _ = cache.table.change(key) { $0.authenticator = nil }
    var scene = TaskScene()
    scene.begin(&cache)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    scene.now = 11
    scene.end(&cache)
    scene.now = 9
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question != nil && scene.sent == nil)
  }
}
