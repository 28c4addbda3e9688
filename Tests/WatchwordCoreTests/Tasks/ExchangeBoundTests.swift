import Testing
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

  private var memory = SessionMemory()

  private static func proxies(_ scheme: WebScheme) -> ProxyRules {
    var rules = ProxyRules(.session)
    let proxy = Proxy(.http, url: TaskScene.url("/", host: "proxy.example", scheme: .http))
    let entry = ProxyRules.Setting(name: "p", proxy: proxy)
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
    scene.begin(memory)
    for _ in 0..<count { scene.machine.bound.noteExchange() }
    switch next {
    case .retriesWithANonce:
      memory.store(TaskScene.password("x"), for: TaskScene.space("r", .digest), owner: 1, now: 0)
      scene.refuse(TaskScene.digest("n"), with: memory)
    case .retriesWithAStoredCredential:
      memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
      scene.refuse(TaskScene.basic(), with: memory)
    case .repeatsALostRequest:
      scene.endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)), memory)
    case .repeatsRefusedAsSent:
      scene.head(421, [], memory)
      scene.end(memory)
    case .beginsAHandshakeAgain:
      scene.endAlone(.serverTrustUndecided(TrustScene.trust()), memory)
      scene.answer(.useStored, memory)
    case .answersAProxy:
      memory.store(TaskScene.password("x"), for: proxy, owner: 1, now: 0)
      scene.refuseAtProxy(TaskScene.basic(), with: memory)
    case .answersATunnel:
      memory.store(TaskScene.password("x"), for: proxy, owner: 1, now: 0)
      scene.refuseTunnel(TaskScene.basic(), with: memory)
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
    scene.begin(memory)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent != nil)
  }

  @Test mutating func anAnswerIsProgress() {
    var scene = TaskScene()
    scene.begin(memory)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.sent != nil)
  }

  @Test mutating func theRefusalOfAnotherCredentialIsProgress() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    for _ in 0..<63 { scene.machine.bound.noteExchange() }
    memory.store(TaskScene.password("y"), for: TaskScene.space(), owner: 1, now: 0)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.sent != nil)
  }

  @Test mutating func aRequestThatIsTakenBackIsNoExchange() {
    var scene = TaskScene()
    scene.begin(memory)
    for _ in 0..<100 { scene.takeBack(memory) }
    #expect(scene.sent != nil)
  }

  // MARK: What would have no end

  private struct Kept: ~Copyable {
    var scene: SessionScene
    var holdings: VaultHoldings
  }

  /// A session whose task has been answered with a permanent credential, and the account that keeps it.
  private static func kept(uses: Int) throws -> Kept {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    var scene = SessionScene()
    var holdings = VaultHoldings()
    scene.delegate(1)
    let task = scene.begin()
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", .useCredential, TaskScene.password("x", .permanent, limits: limits))
    scene.respond(200, to: task)
    for effect in scene.effects {
      guard case .keep(_, let credential, let key, let ways, let generation) = effect else { continue }
      let change = PermanentCredentials.Change.store(
        credential, for: [key.space], isDefault: true, over: ways)
      let plan = try holdings.credentials.plan(change, now: 0)
      _ = holdings.credentials.apply(plan)
      let number = holdings.credentials.entry(key)?.generation
      scene.take { state in
        _ = state.lend(&holdings)
        defer { state.giveBack(&holdings) }
        return state.kept(key, generation: generation, as: number, by: task.identifier)
      }
    }
    return Kept(scene: scene, holdings: holdings)
  }

  @Test(arguments: [1, 2, 3]) func aPermanentReplyHasAsManyUsesAsItsLimit(_ uses: Int) throws {
    var kept = try Self.kept(uses: uses)
    _ = kept.scene.state.lend(&kept.holdings)
    for _ in 1..<uses {
      let task = kept.scene.begin()
      #expect(kept.scene.state.authorization(of: task) != nil)
      _ = kept.scene.state.handle(.received(ResponseHead(status: 200, headers: [])), of: task)
      _ = kept.scene.state.handle(.exchangeEnded(nil, body: .empty), of: task)
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
    let key = memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    // A fault of another rule: the memory finds what it does not send.
    _ = memory.table.change(key) { $0.authenticator = nil }
    var scene = TaskScene()
    scene.begin(memory)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], memory)
    scene.now = 11
    scene.end(memory)
    scene.now = 9
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question != nil && scene.sent == nil)
  }
}
