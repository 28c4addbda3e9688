import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a request carries that is sent once more, and what its questions say.
struct RepeatedRequestTests {
  private var memory = SessionMemory()

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
    rules.all = ProxyRules.Setting(
      name: "all", proxy: Proxy(.http, url: TaskScene.url("/", host: "p.example")))
    var scene = TaskScene(proxies: hasProxy ? rules : nil)
    scene.begin(memory)
    #expect(scene.authorization == nil)
    memory.store(Self.first(Self.password), for: TaskScene.space(), owner: 1, now: 0)
    scene.endAlone(Self.loss, memory)
    #expect(scene.isExchanging && scene.sent?.isAuthorizedLate == false && scene.authorization == nil)
    #expect((scene.sent?.proxy != nil) == hasProxy)
  }

  // MARK: Keys (storage.md 9.4.9)

  @Test mutating func aKeyThatGoesOnceMoreForAChallengeIsUsedOnce() {
    memory.store(Self.first(.token(TaskScene.secret("k"))), for: Self.keySpace, owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    #expect(scene.keys == ["x-api-key: k"] || scene.keys == ["X-Api-Key: k"])
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.keys.count == 1)
    #expect(memory.all.filter { $0.space == Self.keySpace }.map(\.record.uses) == [1])
    scene.endAlone(Self.loss, memory)
    #expect(memory.all.filter { $0.space == Self.keySpace }.map(\.record.uses) == [1])
  }

  /// A server that fails says nothing about the key.
  @Test(arguments: [(200, true), (499, true), (500, false), (503, false), (401, false)])
  mutating func anAnswerThatIsNoFailureTakesTheKey(status: Int, isTaken: Bool) {
    memory.store(Self.first(.token(TaskScene.secret("k"))), for: Self.keySpace, owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    let verdicts = memory.verdicts.count
    scene.head(status, status == 401 ? [HeaderField("WWW-Authenticate", TaskScene.basic())] : [], memory)
    #expect(verdicts == 0 && memory.verdicts.contains { $0.outcome == .accepted } == isTaken)
  }

  // MARK: Questions

  @Test mutating func theSameChainOnceMoreIsAFailureOfTheAnswer() {
    var scene = TaskScene()
    scene.begin(memory)
    var failures: [Int?] = []
    for chain: UInt8 in [1, 1, 2, 1] {
      scene.endAlone(.serverTrustUndecided(TrustScene.trust(chain)), memory)
      failures.append(scene.question?.previousFailureCount)
      scene.answer(.useStored, memory)
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
    scene.begin(memory)
    memory.ways.change(to: ways)
    scene.endAlone(.clientCertificateUndecided(.of("a")), memory)
    #expect(scene.question != nil && scene.question?.callersWays == [])
    scene.answer(.useStored, memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.space == TaskScene.space() && scene.question?.callersWays == [])
    var page = TaskScene()
    page.forms = [rule]
    page.begin(memory)
    memory.ways.change(to: ways)
    page.head(200, [HeaderField("Content-Type", "text/html")], memory)
    let form = LoginForm(action: nil, entries: [.user(name: "u"), .password(name: "p")])
    page.readPage(PageReading(isSelected: true, form: .usable(form)), memory)
    page.endAlone(nil, memory)
    #expect(page.question?.space.isLoginForm == true && page.question?.callersWays == [.forms])
  }
}
