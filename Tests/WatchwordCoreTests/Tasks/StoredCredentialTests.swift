import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A stored credential as tasks use it: what changes on the way, its limits, and who confirms a use.
struct StoredCredentialTests {
  private var cache = CredentialCache()

  @Test mutating func aRefusedCachedCredentialIsRemovedOnlyIfItIsStillTheOneTried() {
    cache.store(TaskScene.password("old"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    cache.store(TaskScene.password("new"), for: TaskScene.space(), owner: 1, now: 0)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(cache.count == 1 && scene.question == nil)
    #expect(scene.authorization == "Basic am9lOm5ldw==")
  }

  @Test mutating func afterARefusalAnotherUsersCredentialIsNotTriedUnasked() {
    cache.store(TaskScene.password("y", user: "ann"), for: TaskScene.space(), owner: 1, now: 0)
    cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.proposed?.user == "joe")
    let next = TaskScene.asked(TaskScene.basic(), cache: &cache)
    #expect(next.question != nil)
  }

  @Test mutating func aCredentialRemovedOnTheWayIsAskedForAgain() {
    let key = cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(&cache)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    cache.remove(key)
    scene.end(&cache)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question != nil)
  }

  @Test mutating func theMaximumOfUsesHoldsForTasksThatChoseItTogether() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(&cache)
      scenes[index].head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    }
    for index in scenes.indices { scenes[index].end(&cache) }
    #expect(scenes.compactMap(\.authorization).count == 1)
  }

  /// What changes while a request waits for its connection.
  enum Meanwhile: CaseIterable {
    case nothing
    case theLastUseIsTaken
    case itIsRemoved
    case itIsReplaced
    case aDeeperOneIsAccepted
    case thePathHasAskedForAnotherRealm
  }

  @Test(
    arguments: zip(
      Meanwhile.allCases, ["am9lOng=", "YW5uOnk=", "YW5uOnk=", "am9lOno=", "YW1lOmQ=", "YW5uOnk="]))
  func aWaitingRequestGetsWhatHoldsWhenItHasItsConnection(_ meanwhile: Meanwhile, _ value: String) throws {
    var limits = CredentialLimits()
    limits.maximumUses = 2
    var cache = CredentialCache()
    func accept(_ realm: String, _ credential: Credential, at path: String) throws -> CredentialCache.Key {
      let space = TaskScene.space(realm)
      let offer = Offer(authenticationMethod: .basic, realm: OctetString(realm), parameters: [])
      return cache.store(
        credential, for: space, authenticator: try Authenticator(offer: offer, credential: credential),
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), owner: 1, now: 0)
    }
    // The first use is that of the task whose reply was accepted.
    let deep = try accept("deep", TaskScene.password("x", limits: limits), at: "/d/x")
    _ = try accept("wide", TaskScene.password("y", user: "ann"), at: "/")
    var scene = TaskScene(TaskScene.url("/d/x/q"))
    scene.connects = false
    scene.begin(&cache)
    switch meanwhile {
    case .nothing: break
    case .theLastUseIsTaken:
      var other = TaskScene(TaskScene.url("/d/x/q"))
      other.begin(&cache)
      #expect(other.authorization == "Basic am9lOng=")
    case .itIsRemoved: cache.remove(deep)
    case .itIsReplaced: _ = try accept("deep", TaskScene.password("z"), at: "/d/x")
    case .aDeeperOneIsAccepted: _ = try accept("deepest", TaskScene.password("d", user: "ame"), at: "/d/x/y")
    case .thePathHasAskedForAnotherRealm:
      let generation = try #require(cache.entry(deep)?.generation)
      cache.left(deep, generation: generation, path: "/d/x/q")
    }
    scene.connect(&cache)
    #expect(scene.authorization == "Basic \(value)")
  }

  @Test mutating func basicOverCleartextUsesNoStoredCredentialButAnExplicitReply() {
    let url = TaskScene.url(scheme: .http)
    let space = ProtectionSpace(origin: url.origin, realm: "r", authenticationMethod: .basic)
    cache.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    var scene = TaskScene(url)
    scene.begin(&cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.proposed?.user == "joe")
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene(url)
    warm.begin(&cache)
    #expect(warm.authorization != nil)
  }

  @Test mutating func onlyAReplyConfirmsTheUseOfACredentialThatWantsIt() {
    var limits = CredentialLimits()
    limits.confirm = true
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    var unanswered = TaskScene.asked(TaskScene.basic(), cache: &cache)
    #expect(unanswered.question?.proposed?.user == "joe")
    unanswered.answer(.nextOffer(confirms: false), &cache)
    #expect(unanswered.isDelivered)
    var confirmed = TaskScene.asked(TaskScene.basic(), cache: &cache)
    confirmed.answer(.nextOffer(confirms: true), &cache)
    #expect(confirmed.authorization == "Basic am9lOng=")
    var owners = TaskScene()
    owners.process = 7
    owners.begin(&cache)
    owners.refuse(TaskScene.basic(), cache: &cache)
    #expect(owners.authorization == "Basic am9lOng=")
  }

  @Test mutating func whereNobodyCanConfirmATaskIsAskedForACredentialOfItsOwn() {
    var limits = CredentialLimits()
    limits.confirm = true
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    for (verdict, sent) in [
      (.nextOffer(confirms: true), nil), (.tryCredential(TaskScene.password("y")), "Basic am9lOnk="),
    ] as [(ChallengeVerdict, String?)] {
      var scene = TaskScene()
      scene.confirmers = false
      scene.begin(&cache)
      scene.refuse(TaskScene.basic(), cache: &cache)
      #expect(scene.question != nil && scene.question?.confirmation == nil)
      scene.answer(verdict, &cache)
      #expect(scene.authorization == sent)
    }
  }
}
