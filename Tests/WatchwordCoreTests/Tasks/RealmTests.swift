import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A realm names a space: what another one says about the credential that was sent (challenges.md 7).
struct RealmTests {
  private var memory = SessionMemory()

  @Test mutating func aChangedRealmIsANewSpaceAndTheReplyIsRefusedInItsOwn() {
    var scene = TaskScene.asked(TaskScene.basic("one"), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.refuse(TaskScene.basic("two"), with: memory)
    #expect(scene.question?.space.realm == "two" && scene.question?.previousFailureCount == 0)
    #expect(scene.question?.refused == [])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
    scene.answer(.nextOffer(confirms: false), memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aStoredCredentialIsRefusedInItsOwnSpaceUnlessItWasSentPreemptively() {
    memory.store(TaskScene.password("x"), for: TaskScene.space("one"), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic("one"), with: memory)
    scene.succeed(with: memory)
    var warm = TaskScene()
    warm.begin(memory)
    #expect(warm.authorization != nil)
    warm.refuse(TaskScene.basic("two"), with: memory)
    #expect(warm.question?.space.realm == "two" && memory.count == 1)
    var cold = TaskScene(TaskScene.url("/elsewhere"))
    cold.begin(memory)
    cold.refuse(TaskScene.basic("one"), with: memory)
    #expect(cold.authorization != nil)
    cold.refuse(TaskScene.basic("two"), with: memory)
    #expect(cold.question?.space.realm == "two" && memory.count == 0)
  }

  @Test(arguments: [true, false])
  mutating func aCredentialForAnyRealmIsTriedAndBoundOrGone(_ isAccepted: Bool) {
    memory.store(TaskScene.password("x"), for: TaskScene.space().ofAnyRealm, owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic("r"), with: memory)
    #expect(scene.authorization == "Basic am9lOng=")
    if isAccepted {
      scene.succeed(with: memory)
      #expect(memory.all.map(\.space) == [TaskScene.space("r")])
      var warm = TaskScene()
      warm.begin(memory)
      #expect(warm.authorization == "Basic am9lOng=")
    } else {
      scene.refuse(TaskScene.basic("r"), with: memory)
      #expect(scene.question?.previousFailureCount == 1 && memory.count == 0)
    }
  }

  @Test mutating func aStaleNonceOfACredentialForAnyRealmIsNoRefusal() {
    memory.store(TaskScene.password("x"), for: TaskScene.space("r", .digest).ofAnyRealm, owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].refuse(TaskScene.digest("n0"), with: memory)
      #expect(scenes[index].digestField("nonce") == "n0")
    }
    scenes[0].succeed(with: memory)
    scenes[1].refuse(TaskScene.digest("n1", stale: true), with: memory)
    #expect(scenes[1].digestField("nonce") == "n1" && scenes[1].question == nil)
  }

  @Test mutating func twoRealmsThatPointToEachOtherAreNotWalkedForEver() {
    for realm in ["one", "two"] {
      memory.store(TaskScene.password(realm), for: TaskScene.space(realm), owner: 1, now: 0)
    }
    var scene = TaskScene.asked(TaskScene.basic("one"), with: memory)
    var exchanges = 0
    while scene.question == nil, scene.failure == nil, exchanges < 50 {
      exchanges += 1
      scene.refuse(TaskScene.basic(exchanges % 2 == 0 ? "one" : "two"), with: memory)
      if scene.isDelivered { break }
    }
    #expect(exchanges < 10)
  }

  @Test mutating func aNewRealmEveryTimeEndsInTheEnd() {
    var scene = TaskScene.asked(TaskScene.basic("0"), with: memory)
    var answers = 0
    while scene.question != nil, answers < 1000 {
      answers += 1
      scene.answer(.tryCredential(TaskScene.password("x")), memory)
      scene.refuse(TaskScene.basic("\(answers)"), with: memory)
    }
    #expect(answers == AuthenticationStateMachine.roundLimit && scene.isDelivered)
  }
}
