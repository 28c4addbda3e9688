import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Keys in header fields of their own (storage.md 9.4.9 to 9.4.14).
struct KeyTests {
  private var memory = SessionMemory()

  private static let space = ProtectionSpace(keyOf: TaskScene.origin, field: "X-Api-Key")

  private static func key(
    _ text: String = "k", prefix: String = "", paths: [String] = [],
    _ change: (inout CredentialLimits) -> Void = { _ in }
  ) -> Credential {
    var limits = CredentialLimits()
    limits.pathPrefixes = paths
    change(&limits)
    var credential = Credential(.token(TaskScene.secret(text)), persistence: .forSession, limits: limits)
    credential.isPreemptive = true
    credential.prefix = prefix
    return credential
  }

  private mutating func store(_ credential: Credential = key(), for space: ProtectionSpace = space) {
    memory.store(credential, for: space, owner: 1, now: 0)
  }

  private mutating func begun(
    _ url: RequestURL = TaskScene.url(), headers: [HeaderField] = [], policy: MethodPolicy = MethodPolicy(),
    process: ProcessIdentifier = 1
  ) -> TaskScene {
    var scene = TaskScene(url, headers: headers, policy: policy)
    scene.process = process
    scene.begin(memory)
    return scene
  }

  /// What the first request of a task carries, as `name: value`.
  private mutating func sent(
    _ url: RequestURL = TaskScene.url(), headers: [HeaderField] = [], policy: MethodPolicy = MethodPolicy(),
    process: ProcessIdentifier = 1
  ) -> [String] {
    begun(url, headers: headers, policy: policy, process: process).keys
  }

  @Test mutating func theFirstRequestCarriesIt() {
    store(Self.key(prefix: "Token "))
    var scene = begun()
    #expect(scene.keys == ["x-api-key: Token k"] && scene.authorization == nil)
    scene.succeed(403, with: memory)
    #expect(memory.all.map(\.record.uses) == [1] && memory.all.map(\.hasServedUnasked) == [true])
  }

  @Test func aFieldHasNoCase() {
    #expect(ProtectionSpace(keyOf: TaskScene.origin, field: "x-API-key") == Self.space)
    #expect(Self.space.field == "x-api-key")
    #expect(TaskScene.space("x-api-key").field == nil)
    #expect(ProtectionSpace(anyRealmOf: TaskScene.origin, authenticationMethod: .key).field == nil)
  }

  @Test(arguments: [
    ("/a", "/a/x", true), ("/a/", "/a", false), ("/a", "/ab", false), ("/a", "/a/%2e%2e/b", false),
    ("/", "/b", true),
  ])
  mutating func itsPathsAreItsScope(_ prefix: String, _ path: String, _ isSent: Bool) {
    store(Self.key(paths: [prefix]))
    #expect(sent(TaskScene.url(path)).isEmpty == !isSent)
  }

  @Test mutating func theDeepestOfAFieldGoesAndFieldsGoTogether() {
    store(Self.key("whole"))
    store(Self.key("a", paths: ["/a"]))
    store(Self.key("b", paths: ["/a/b"]))
    store(
      Self.key("many", paths: ["/c", "/d"]), for: ProtectionSpace(keyOf: TaskScene.origin, field: "other"))
    #expect(sent(TaskScene.url("/a/b/x")) == ["x-api-key: b"])
    #expect(sent(TaskScene.url("/a/x")) == ["x-api-key: a"])
    #expect(sent(TaskScene.url("/d/x")) == ["x-api-key: whole", "other: many"])
  }

  @Test mutating func otherOriginsGetNone() {
    store()
    #expect(sent(TaskScene.url(host: "b.example")).isEmpty)
    #expect(sent(TaskScene.url(scheme: .http)).isEmpty)
  }

  @Test(arguments: [
    (WebScheme.http, "a.example", false, false), (.http, "a.example", true, true),
    (.http, "127.0.0.1", false, true), (.https, "a.example", false, true),
  ])
  mutating func cleartextNeedsConsent(
    _ scheme: WebScheme, _ host: String, _ isAllowed: Bool, _ isSent: Bool
  ) {
    let url = TaskScene.url(host: host, scheme: scheme)
    var policy = MethodPolicy()
    policy.basicOverCleartext = isAllowed
    store(for: ProtectionSpace(keyOf: url.origin, field: "X-Api-Key"))
    #expect(sent(url, policy: policy).isEmpty == !isSent)
  }

  @Test mutating func theCallersFieldIsSentInstead() {
    store()
    #expect(sent(headers: [HeaderField("X-API-KEY", "mine")]).isEmpty)
    #expect(sent(headers: [HeaderField("Authorization", "Bearer x")]) == ["x-api-key: k"])
  }

  @Test mutating func aURLWithAUserCarriesIt() {
    store()
    let named = TaskScene.url(userinfo: RequestURL.Userinfo(user: "ann", password: TaskScene.secret("y")))
    #expect(sent(named) == ["x-api-key: k"])
  }

  @Test mutating func noChallengeIsAnsweredWithIt() {
    store()
    var scene = begun()
    scene.refuse("Bearer realm=\"x-api-key\"", with: memory)
    #expect(scene.question?.space == TaskScene.space("x-api-key", .bearer))
    #expect(scene.question?.proposed == nil && memory.count == 1)
  }

  @Test mutating func theSameRequestForAChallengeIsNoOtherUse() {
    store(Self.key { $0.maximumUses = 1 })
    var scene = begun()
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.keys == ["x-api-key: k"] && scene.authorization == "Basic am9lOng=")
    scene.succeed(with: memory)
    #expect(sent().isEmpty && !memory.all.contains { $0.space == Self.space })
  }

  @Test mutating func aRedirectOutOfItsScopeGoesWithout() {
    store()
    var scene = begun()
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.url.origin.host == "b.example" && scene.keys.isEmpty)
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.keys == ["x-api-key: k"])
    #expect(memory.all.map(\.record.uses) == [2])
  }

  @Test(arguments: [200, 302, 403, 404, 500])
  mutating func everyStatusButARefusalKeepsIt(_ status: Int) {
    store()
    var scene = begun()
    scene.succeed(status, with: memory)
    #expect(memory.count == 1)
  }

  @Test(arguments: [[], ["ApiKey realm=\"x\""]])
  mutating func aRefusalThatNamesNothingElseEndsIt(_ challenges: [String]) {
    store()
    var scene = begun()
    scene.head(401, challenges.map { HeaderField("WWW-Authenticate", $0) }, memory)
    scene.end(memory)
    #expect(scene.isDelivered && memory.count == 0)
    #expect(memory.verdicts.map(\.outcome) == [.refused])
    #expect(memory.takeRefusedMarks().map(\.space) == [Self.space])
  }

  @Test mutating func aKeyThatWasReplacedMeanwhileStays() {
    store()
    var scene = begun()
    store(Self.key("new"))
    scene.refuse(with: memory)
    #expect(sent() == ["x-api-key: new"])
  }

  @Test mutating func ofSeveralKeysNoneIsRefused() {
    store()
    store(for: ProtectionSpace(keyOf: TaskScene.origin, field: "other"))
    var scene = begun()
    scene.refuse(with: memory)
    #expect(scene.isDelivered && memory.count == 2 && memory.verdicts.isEmpty)
  }

  @Test mutating func aRefusalOfTheCallersFieldIsNone() {
    store()
    var scene = begun(headers: [HeaderField("Authorization", "Bearer x")])
    scene.refuse(with: memory)
    #expect(scene.isDelivered && memory.count == 1)
  }

  @Test mutating func anotherProcessThatWouldHaveToConfirmDoesNotSendIt() {
    store(Self.key { $0.confirm = true })
    #expect(sent() == ["x-api-key: k"])
    #expect(sent(process: 2).isEmpty)
  }

  @Test mutating func itIsNoCredentialForAuthorization() {
    store()
    let use = CredentialUse(url: TaskScene.url(), method: "GET", process: 1, now: 0, wallClock: 1000)
    let machine = TaskScene().machine.authentication
    #expect(machine.expectation(for: use, hasCallerAuthorization: false, memory) == .nothing)
    #expect(machine.passedOver(for: use, .nothing, memory) == nil)
  }

  // MARK: Records of the account

  @Test mutating func aRecordGoesWithTheFirstRequest() throws {
    var kept = Self.key()
    kept.persistence = .permanent
    let plan = try memory.permanent.plan(.store(kept, for: [Self.space], isDefault: true, over: []), now: 0)
    _ = memory.follow(memory.permanent.apply(plan))
    var scene = begun()
    #expect(scene.keys == ["x-api-key: k"] && memory.changes.isEmpty)
    #expect(memory.permanent.all.map(\.record.uses) == [1])
    scene.refuse(with: memory)
    #expect(memory.permanent.count == 0 && memory.count == 0)
  }

  // MARK: Fields

  @Test(arguments: [
    "X-Api-Key", "PRIVATE-TOKEN", "x-goog-api-key", "apikey", "X-Auth-Token", "DD-API-KEY", "X_Key",
    "Ocp-Apim-Subscription-Key",
  ])
  func fieldsOfServersCarryKeys(_ name: String) { #expect(KeyField.isAllowed(name)) }

  @Test(arguments: [
    "", "a b", "a:b", "é", "Authorization", "authorization", "Proxy-Authorization", "Cookie", "Set-Cookie",
    "Host",
    "Content-Length", "Content-Type", "Transfer-Encoding", "TE", "Trailer", "Connection", "Keep-Alive",
    "Upgrade", "Expect", "HTTP2-Settings", "Proxy-Connection", "Range", "Accept", "User-Agent", "Referer",
    "Origin", "X-Forwarded-For", "X_Forwarded_For", "X-Original-URL", "X-HTTP-Method-Override", "Forwarded",
    "Sec-Fetch-Site", String(repeating: "x", count: 129),
  ])
  func fieldsWithAMeaningCarryNoKey(_ name: String) { #expect(!KeyField.isAllowed(name)) }

  @Test(arguments: [
    ("", true), ("Token ", true), ("key=", true), (" a", false), ("a\n", false), ("é", false),
    (String(repeating: "x", count: 129), false),
  ])
  func prefixesAreVisible(_ text: String, _ isAllowed: Bool) {
    #expect(KeyField.isPrefix(text) == isAllowed)
  }

  @Test func onlyATokenOfAnOriginIsAKey() {
    #expect(CredentialCheck.fault(of: Self.key(prefix: "a"), for: Self.space) == nil)
    #expect(CredentialCheck.fault(of: TaskScene.password("x"), for: Self.space) == .wrongKind)
    #expect(CredentialCheck.fault(of: Self.key("a\nb"), for: Self.space) == .controlCharacter)
    let proxy = ProtectionSpace(keyOf: TaskScene.origin, field: "x", proxyType: .http)
    #expect(CredentialCheck.fault(of: Self.key(), for: proxy) == .notPreemptive)
    let bearer = TaskScene.space("r", .bearer)
    #expect(CredentialCheck.fault(of: Self.key(prefix: "a"), for: bearer) == .wrongKind)
  }
}
