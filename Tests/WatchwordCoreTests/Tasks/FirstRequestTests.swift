import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Credentials for servers that do not ask: they go with the first request (storage.md 9.4.6 to 9.4.8).
struct FirstRequestTests {
  private var memory = SessionMemory()

  private static func credential(
    _ password: String = "x", paths: [String] = [], _ change: (inout CredentialLimits) -> Void = { _ in }
  ) -> Credential {
    var limits = CredentialLimits()
    limits.pathPrefixes = paths
    change(&limits)
    var credential = TaskScene.password(password, limits: limits)
    credential.isPreemptive = true
    return credential
  }

  private static func space(_ url: RequestURL, _ method: AuthenticationMethod = .basic) -> ProtectionSpace {
    ProtectionSpace(anyRealmOf: url.origin, authenticationMethod: method)
  }

  private mutating func store(
    _ credential: Credential = credential(), for space: ProtectionSpace = space(TaskScene.url()),
    isDefault: Bool = true
  ) {
    memory.store(credential, for: space, isDefault: isDefault, owner: 1, now: 0)
  }

  private mutating func begun(_ url: RequestURL = TaskScene.url(), policy: MethodPolicy = MethodPolicy())
    -> TaskScene
  {
    var scene = TaskScene(url, policy: policy)
    scene.begin(memory)
    return scene
  }

  @Test mutating func theFirstRequestCarriesIt() {
    store()
    var scene = begun()
    #expect(scene.authorization == "Basic am9lOng=")
    scene.succeed(with: memory)
    #expect(scene.isDelivered && memory.all.map(\.record.uses) == [1])
    #expect(begun(TaskScene.url("/elsewhere")).authorization == "Basic am9lOng=")
  }

  @Test mutating func aTokenGoesToo() {
    var token = Credential(.token(TaskScene.secret("t")), persistence: .forSession)
    token.isPreemptive = true
    store(token, for: Self.space(TaskScene.url(), .bearer))
    #expect(begun().authorization == "Bearer t")
  }

  @Test mutating func withoutTheMarkItWaitsForAChallenge() {
    var credential = Self.credential()
    credential.isPreemptive = false
    store(credential)
    #expect(begun().authorization == nil)
  }

  @Test(arguments: [
    ("/a", "/a", true), ("/a", "/a/x", true), ("/a", "/ab", false), ("/a/", "/a/x", true),
    ("/a/", "/a", false),
    ("/a", "/b", false), ("/a", "/a/%2e%2e/b", false), ("/", "/a", true),
  ])
  mutating func itsPathsAreItsScope(_ prefix: String, _ path: String, _ isSent: Bool) {
    store(Self.credential(paths: [prefix]))
    #expect((begun(TaskScene.url(path)).authorization != nil) == isSent)
  }

  @Test mutating func theDeeperOneIsSent() {
    store(Self.credential("x"))
    let deep = Self.credential("y", paths: ["/a"])
    memory.store(deep, for: TaskScene.space("deep"), owner: 1, now: 0)
    #expect(begun(TaskScene.url("/a/x")).authorization == "Basic am9lOnk=")
    #expect(begun(TaskScene.url("/b/x")).authorization == "Basic am9lOng=")
  }

  @Test(arguments: [200, 204, 302, 403, 404, 500])
  mutating func everyStatusButARefusalKeepsIt(_ status: Int) {
    store()
    var scene = begun()
    scene.succeed(status, with: memory)
    #expect(scene.isDelivered && memory.count == 1)
    #expect(begun().authorization != nil)
  }

  @Test(arguments: [[TaskScene.basic("r")], [TaskScene.basic("s")], []])
  mutating func aRefusalEndsItAndAsks(_ challenges: [String]) {
    store()
    var scene = begun()
    scene.head(401, challenges.map { HeaderField("WWW-Authenticate", $0) }, memory)
    scene.end(memory)
    #expect(scene.question?.previousFailureCount == 1 && scene.question?.proposed?.user == "joe")
    #expect(scene.question?.refused == [Self.credential().kind])
    #expect(memory.count == 0)
    #expect(begun().authorization == nil)
  }

  @Test mutating func theSamePasswordAgainIsNotSentToWhoRefusedIt() {
    store()
    var scene = begun()
    scene.refuse(TaskScene.basic("r"), with: memory)
    scene.answer(.tryCredential(Self.credential()), memory)
    #expect(scene.sent == nil && scene.isDelivered)
  }

  @Test mutating func anotherMethodIsAnotherSpace() {
    store()
    var scene = begun()
    scene.refuse("Bearer realm=\"r\"", with: memory)
    #expect(
      scene.question?.space == TaskScene.space("r", .bearer) && scene.question?.previousFailureCount == 0)
    #expect(memory.count == 1)
    #expect(begun().authorization == nil)
    #expect(begun(TaskScene.url("/d/y")).authorization != nil)
  }

  @Test(arguments: [
    (WebScheme.http, "a.example", false, false), (.http, "a.example", true, true),
    (.http, "127.0.0.1", false, true), (.https, "a.example", false, true),
  ])
  mutating func cleartextNeedsConsentForTokensToo(
    _ scheme: WebScheme, _ host: String, _ isAllowed: Bool, _ isSent: Bool
  ) {
    let url = TaskScene.url(host: host, scheme: scheme)
    var token = Credential(.token(TaskScene.secret("t")), persistence: .forSession)
    token.isPreemptive = true
    var policy = MethodPolicy()
    policy.basicOverCleartext = isAllowed
    store(token, for: Self.space(url, .bearer))
    #expect((begun(url, policy: policy).authorization != nil) == isSent)
    memory.removeAll()
    store(for: Self.space(url))
    #expect((begun(url, policy: policy).authorization != nil) == isSent)
  }

  @Test mutating func aReplyIsConsentForItsSpace() {
    let url = TaskScene.url(scheme: .http)
    var scene = TaskScene(url)
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(Self.credential()), memory)
    scene.succeed(with: memory)
    #expect(begun(TaskScene.url("/elsewhere", scheme: .http)).authorization != nil)
  }

  @Test mutating func limitsAndDisabledMethodsCount() {
    store(Self.credential { $0.methods = ["POST"] })
    #expect(begun().authorization == nil)
    store(Self.credential { $0.maximumUses = 1 })
    #expect(begun().authorization != nil)
    #expect(begun().authorization == nil)
    store()
    var policy = MethodPolicy()
    policy.disabled.insert(.basic)
    #expect(begun(policy: policy).authorization == nil)
    memory.removeAll()
    store(isDefault: false)
    #expect(begun().authorization == nil)
  }

  @Test mutating func anotherProcessThatWouldHaveToConfirmDoesNotSendIt() {
    store(Self.credential { $0.confirm = true })
    #expect(begun().authorization != nil)
    var scene = TaskScene()
    scene.process = 2
    scene.begin(memory)
    #expect(scene.sent != nil && scene.authorization == nil)
  }

  @Test mutating func aURLWithAUserAndACallersFieldComeFirst() {
    store()
    let named = TaskScene.url(userinfo: RequestURL.Userinfo(user: "ann", password: TaskScene.secret("y")))
    #expect(begun(named).authorization == nil)
    var scene = TaskScene(headers: [HeaderField("Authorization", "Bearer mine")])
    scene.begin(memory)
    #expect(scene.sent != nil && scene.authorization == nil)
  }

  @Test mutating func aRedirectOutOfItsScopeGoesWithout() {
    store(Self.credential(paths: ["/d"]))
    var scene = begun()
    #expect(scene.authorization != nil)
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.sent?.url.path == "/n" && scene.authorization == nil)
    store()
    var wide = begun()
    wide.redirect(to: "b.example", with: memory)
    #expect(wide.sent?.url.origin.host == "b.example" && wide.authorization == nil)
    var same = begun()
    same.redirect(to: "a.example", with: memory)
    #expect(same.authorization != nil)
  }

  /// A stale password costs one bad login, however many tasks begin at once.
  @Test mutating func oneTaskTriesItAndTheOthersWait() {
    store()
    var scenes = (1...3).map { number in
      var scene = TaskScene()
      scene.number = UInt64(number)
      return scene
    }
    for index in scenes.indices { scenes[index].begin(memory) }
    #expect(scenes.map { $0.authorization != nil } == [true, false, false])
    #expect(scenes.map { $0.sent != nil } == [true, false, false])
    scenes[0].refuse(TaskScene.basic(), with: memory)
    #expect(Set(memory.trials.takeGranted().map(\.number)) == [2, 3])
    for index in 1...2 {
      scenes[index].turnCame(memory)
      #expect(scenes[index].sent != nil && scenes[index].authorization == nil)
    }
  }

  @Test mutating func onceAServerHasTakenItNobodyWaits() {
    store()
    var first = begun()
    first.succeed(404, with: memory)
    for number in 2...3 {
      var scene = TaskScene()
      scene.number = UInt64(number)
      scene.now = 60
      scene.begin(memory)
      #expect(scene.authorization != nil)
    }
  }

  @Test mutating func explainSaysThatItGoesUnasked() {
    store()
    let scene = TaskScene()
    let use = CredentialUse(url: TaskScene.url(), method: "GET", process: 1, now: 0, wallClock: 1000)
    let expected = scene.machine.authentication.expectation(for: use, hasCallerAuthorization: false, memory)
    #expect(expected == .unasked(CredentialKey(space: Self.space(TaskScene.url()), user: "joe")))
  }

  @Test(arguments: AuthenticationMethod.allCases)
  func onlyBasicBearerAndKeyOfAnOriginTakeIt(_ method: AuthenticationMethod) {
    var token = Credential(.token(TaskScene.secret("t")))
    token.isPreemptive = true
    let credential = [.bearer, .key].contains(method) ? token : Self.credential()
    let space = Self.space(TaskScene.url(), method)
    let isFit = [.basic, .bearer, .key].contains(method)
    #expect((CredentialCheck.fault(of: credential, for: space) == nil) == isFit)
    let proxy = ProtectionSpace(anyRealmOf: TaskScene.origin, authenticationMethod: method, proxyType: .http)
    #expect(CredentialCheck.fault(of: credential, for: proxy) != nil)
  }

  // MARK: Records of the account

  private static let use = CredentialUse(
    url: TaskScene.url(), method: "GET", process: 1, now: 0, wallClock: 1000)

  private mutating func keep(_ credential: Credential = credential(), over ways: [CallersWay] = []) throws {
    var kept = credential
    kept.persistence = .permanent
    let plan = try memory.permanent.plan(
      .store(kept, for: [Self.space(TaskScene.url())], isDefault: true, over: ways), now: 0)
    _ = memory.follow(memory.permanent.apply(plan))
  }

  @Test mutating func aRecordGoesWithTheFirstRequestOfEverySession() throws {
    try keep()
    let scene = begun()
    #expect(scene.authorization == "Basic am9lOng=")
    #expect(memory.changes.isEmpty, "the holders know of the record")
    #expect(memory.permanent.all.map(\.record.uses) == [1])
    #expect(memory.all.map(\.permanentNumber) == [1])
  }

  @Test mutating func aRefusedRecordIsGone() throws {
    try keep()
    var scene = begun()
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(memory.permanent.count == 0 && memory.count == 0)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test mutating func aReplacedRecordIsNotSentAnyMore() throws {
    try keep()
    #expect(begun().authorization == "Basic am9lOng=")
    try keep(Self.credential("y"))
    #expect(begun().authorization == "Basic am9lOnk=")
    let removal = try memory.permanent.plan(.remove([Self.space(TaskScene.url())], user: nil), now: 0)
    _ = memory.follow(memory.permanent.apply(removal))
    #expect(begun().authorization == nil && memory.count == 0)
  }

  @Test mutating func aRecordIsBoundWithItsCopy() throws {
    try keep()
    #expect(begun().authorization != nil)
    let key = CredentialKey(space: TaskScene.space("r"), user: "joe")
    let generation = try #require(memory.entry(key)?.generation)
    memory.accepted(
      key, generation: generation, scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url()))
    #expect(memory.changes.isEmpty)
    for request in memory.permanent.takeRequests() {
      _ = memory.follow(memory.permanent.apply(try memory.permanent.plan(request, now: 0)))
    }
    #expect(memory.permanent.all.map(\.space) == [TaskScene.space("r")])
    #expect(memory.all.map(\.space) == [TaskScene.space("r")])
    let removal = try memory.permanent.plan(.remove([TaskScene.space("r")], user: nil), now: 0)
    _ = memory.follow(memory.permanent.apply(removal))
    #expect(memory.count == 0)
  }

  @Test mutating func theSessionsOwnCredentialStays() throws {
    store(Self.credential("own"))
    try keep(Self.credential("y"))
    #expect(begun().authorization == "Basic am9lOm93bg==")
    #expect(memory.all.map(\.permanentNumber) == [nil])
  }
}
