import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A realm names a space: what another one says about the credential that was sent (challenges.md 7).
struct RealmTests {
  private var cache = CredentialCache()

  @Test mutating func aChangedRealmIsANewSpaceAndTheReplyIsRefusedInItsOwn() {
    var scene = TaskScene.asked(TaskScene.basic("one"), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(scene.question?.space.realm == "two" && scene.question?.previousFailureCount == 0)
    #expect(scene.question?.refused == [])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
    scene.answer(.nextOffer(confirms: false), &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aStoredCredentialIsRefusedInItsOwnSpaceUnlessItWasSentPreemptively() {
    cache.store(TaskScene.password("x"), for: TaskScene.space("one"), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic("one"), cache: &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization != nil)
    warm.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(warm.question?.space.realm == "two" && cache.count == 1)
    var cold = TaskScene(TaskScene.url("/elsewhere"))
    cold.begin(&cache)
    cold.refuse(TaskScene.basic("one"), cache: &cache)
    #expect(cold.authorization != nil)
    cold.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(cold.question?.space.realm == "two" && cache.count == 0)
  }

  @Test(arguments: [true, false])
  mutating func aCredentialForAnyRealmIsTriedAndBoundOrGone(_ isAccepted: Bool) {
    cache.store(TaskScene.password("x"), for: TaskScene.space().ofAnyRealm, owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic("r"), cache: &cache)
    #expect(scene.authorization == "Basic am9lOng=")
    if isAccepted {
      scene.succeed(cache: &cache)
      #expect(cache.all.map(\.space) == [TaskScene.space("r")])
      var warm = TaskScene()
      warm.begin(&cache)
      #expect(warm.authorization == "Basic am9lOng=")
    } else {
      scene.refuse(TaskScene.basic("r"), cache: &cache)
      #expect(scene.question?.previousFailureCount == 1 && cache.count == 0)
    }
  }

  @Test mutating func aStaleNonceOfACredentialForAnyRealmIsNoRefusal() {
    cache.store(TaskScene.password("x"), for: TaskScene.space("r", .digest).ofAnyRealm, owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(&cache)
      scenes[index].refuse(TaskScene.digest("n0"), cache: &cache)
      #expect(scenes[index].digestField("nonce") == "n0")
    }
    scenes[0].succeed(cache: &cache)
    scenes[1].refuse(TaskScene.digest("n1", stale: true), cache: &cache)
    #expect(scenes[1].digestField("nonce") == "n1" && scenes[1].question == nil)
  }

  @Test mutating func twoRealmsThatPointToEachOtherAreNotWalkedForEver() {
    for realm in ["one", "two"] {
      cache.store(TaskScene.password(realm), for: TaskScene.space(realm), owner: 1, now: 0)
    }
    var scene = TaskScene.asked(TaskScene.basic("one"), cache: &cache)
    var exchanges = 0
    while scene.question == nil, scene.failure == nil, exchanges < 50 {
      exchanges += 1
      scene.refuse(TaskScene.basic(exchanges % 2 == 0 ? "one" : "two"), cache: &cache)
      if scene.isDelivered { break }
    }
    #expect(exchanges < 10)
  }

  @Test mutating func aNewRealmEveryTimeEndsInTheEnd() {
    var scene = TaskScene.asked(TaskScene.basic("0"), cache: &cache)
    var answers = 0
    while scene.question != nil, answers < 1000 {
      answers += 1
      scene.answer(.tryCredential(TaskScene.password("x")), &cache)
      scene.refuse(TaskScene.basic("\(answers)"), cache: &cache)
    }
    #expect(answers == AuthenticationStateMachine.roundLimit && scene.isDelivered)
  }
}
