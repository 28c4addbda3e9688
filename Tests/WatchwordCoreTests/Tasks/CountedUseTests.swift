import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What is no further use of a credential, and what is (storage.md 9.5.2).
struct CountedUseTests {
  private var memory = SessionMemory()

  private static let lost = TransportError.connectionLost(
    ConnectionLoss(isBeforeFirstByte: true, wasStale: true))

  private static func limits(_ change: (inout CredentialLimits) -> Void = { $0.maximumUses = 1 })
    -> CredentialLimits
  {
    var limits = CredentialLimits()
    change(&limits)
    return limits
  }

  /// A task whose proxy has taken a credential for one use, of this task only.
  private mutating func sceneAtProxy(_ scheme: WebScheme) -> TaskScene {
    var rules = ProxyRules(.session)
    let proxy = RequestURL(
      origin: Origin(scheme: .http, host: "p.example", port: 3128), path: "/", query: nil)
    rules.all = ProxyRules.Setting(name: "all", proxy: Proxy(.http, url: proxy))
    var scene = TaskScene(TaskScene.url(scheme: scheme), proxies: rules)
    scene.begin(memory)
    if scheme == .https {
      scene.refuseTunnel(TaskScene.basic("corp"), with: memory)
    } else {
      scene.refuseAtProxy(TaskScene.basic("corp"), with: memory)
    }
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: Self.limits())), memory)
    #expect(scene.proxyAuthorization != nil)
    if scheme == .https { scene.openTunnel(memory) }
    return scene
  }

  /// The repetition takes a tunnel that is open already: the proxy is sent nothing.
  @Test mutating func aRepetitionLeavesNoUseToAnotherRequest() {
    var scene = sceneAtProxy(.https)
    scene.connects = false
    scene.endAlone(Self.lost, memory)
    #expect(scene.isExchanging)
    scene.redirect(to: "b.example", with: memory)
    scene.connect(memory)
    #expect(scene.sent?.url.origin.host == "b.example" && scene.proxyAuthorization == nil)
  }

  @Test mutating func aRequestThatIsWrittenAgainWithoutACredentialGetsNone() {
    var scene = sceneAtProxy(.http)
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.url.origin.host == "b.example" && scene.proxyAuthorization == nil)
    scene.connect(memory)
    #expect(scene.proxyAuthorization == nil)
  }

  @Test mutating func aRequestThatIsWrittenAgainIsNoFurtherUse() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: Self.limits())), memory)
    let first = scene.authorization
    for _ in 0..<2 {
      scene.connect(memory)
      #expect(scene.authorization == first && first != nil)
    }
  }

  /// Of two keys one has expired, and the other is used up by the request that goes out again.
  @Test mutating func aKeyThatIsUsedUpGoesWithTheRepetitionBesideOneThatHasExpired() {
    let fields = [("one-use", Self.limits()), ("short", Self.limits { $0.lifetimeSeconds = 10 })]
    for (field, limits) in fields {
      var key = Credential(.token(TaskScene.secret("k")), persistence: .forSession, limits: limits)
      key.isPreemptive = true
      memory.store(key, for: ProtectionSpace(keyOf: TaskScene.origin, field: field), owner: 1, now: 0)
    }
    var scene = TaskScene()
    scene.begin(memory)
    #expect(Set(scene.keys) == ["one-use: k", "short: k"])
    scene.refuse(TaskScene.basic(), with: memory)
    scene.now = 10
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.keys == ["one-use: k"])
  }
}
