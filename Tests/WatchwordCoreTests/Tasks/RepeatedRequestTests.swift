import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a request carries that is sent once more, and what its questions say.
struct RepeatedRequestTests {
  private var cache = CredentialCache()

  private static let keySpace = ProtectionSpace(keyOf: TaskScene.origin, field: "X-Api-Key")
  private static let loss = TransportError.connectionLost(
    ConnectionLoss(isBeforeFirstByte: true, wasStale: true))

  private static func first(_ kind: Credential.Kind) -> Credential {
    var limits = CredentialLimits()
    limits.pathPrefixes = ["/"]
    limits.methods = ["GET"]
    var credential = Credential(kind, persistence: .forSession, limits: limits)
    credential.isPreemptive = true
    return credential
  }

  private static let password = Credential.Kind.password(user: "joe", password: TaskScene.secret("x"))

  /// The server has not answered the request: nothing else goes with it now (challenges.md 13).
  @Test(arguments: [false, true]) mutating func aLostRequestIsSentAgainAsItWas(hasProxy: Bool) {
    var rules = ProxyRules(.task)
    rules.all = ProxyRules.Entry(name: "all", proxy: Proxy(.http, url: TaskScene.url("/", host: "p.example")))
    var scene = TaskScene(proxies: hasProxy ? rules : nil)
    scene.begin(&cache)
    #expect(scene.authorization == nil)
    cache.store(Self.first(Self.password), for: TaskScene.space(), owner: 1, now: 0)
    scene.endAlone(Self.loss, &cache)
    #expect(scene.isExchanging && scene.sent?.isAuthorizedLate == false && scene.authorization == nil)
    #expect((scene.sent?.proxy != nil) == hasProxy)
  }

  // MARK: Keys (storage.md 9.4.9)

  @Test mutating func aKeyThatGoesOnceMoreForAChallengeIsUsedOnce() {
    cache.store(Self.first(.token(TaskScene.secret("k"))), for: Self.keySpace, owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(&cache)
    #expect(scene.keys == ["x-api-key: k"] || scene.keys == ["X-Api-Key: k"])
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.keys.count == 1)
    #expect(cache.all.filter { $0.space == Self.keySpace }.map(\.record.uses) == [1])
    scene.endAlone(Self.loss, &cache)
    #expect(cache.all.filter { $0.space == Self.keySpace }.map(\.record.uses) == [1])
  }

  /// A server that fails says nothing about the key.
  @Test(arguments: [(200, true), (499, true), (500, false), (503, false), (401, false)])
  mutating func anAnswerThatIsNoFailureTakesTheKey(status: Int, isTaken: Bool) {
    cache.store(Self.first(.token(TaskScene.secret("k"))), for: Self.keySpace, owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(&cache)
    let verdicts = cache.takeVerdicts().count
    scene.head(status, status == 401 ? [HeaderField("WWW-Authenticate", TaskScene.basic())] : [], &cache)
    #expect(verdicts == 0 && cache.takeVerdicts().contains { $0.outcome == .accepted } == isTaken)
  }

  // MARK: Questions

  @Test mutating func theSameChainOnceMoreIsAFailureOfTheAnswer() {
    var scene = TaskScene()
    scene.begin(&cache)
    var failures: [Int?] = []
    for chain: UInt8 in [1, 1, 2, 1] {
      scene.endAlone(.serverTrustUndecided(TrustScene.trust(chain)), &cache)
      failures.append(scene.question?.previousFailureCount)
      scene.answer(.useStored, &cache)
    }
    #expect(failures == [0, 1, 0, 2])
  }

  /// The rules for login forms are told where a form gets the password (storage.md 9.6.12).
  @Test mutating func rulesForFormsAreToldOnlyOfForms() {
    let rule = FormRule(
      page: TaskScene.url(), isPrefix: false, when: FormRule.Condition(), userField: "u", passwordField: "p",
      success: FormRule.Condition())
    let ways = CallersWays(forms: [rule])
    var scene = TaskScene()
    scene.begin(&cache)
    cache.ways.change(to: ways)
    scene.endAlone(.clientCertificateUndecided(.of("a")), &cache)
    #expect(scene.question != nil && scene.question?.callersWays == [])
    scene.answer(.useStored, &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.space == TaskScene.space() && scene.question?.callersWays == [])
    var page = TaskScene()
    page.forms = [rule]
    page.begin(&cache)
    cache.ways.change(to: ways)
    page.head(200, [HeaderField("Content-Type", "text/html")], &cache)
    let form = LoginForm(action: nil, entries: [.user(name: "u"), .password(name: "p")])
    page.readPage(PageReading(isSelected: true, form: .usable(form)), &cache)
    page.endAlone(nil, &cache)
    #expect(page.question?.space.isLoginForm == true && page.question?.callersWays == [.forms])
  }
}
