import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A task whose handshake was stopped to ask: nothing of the request was sent, so all of it goes out again.
struct HandshakeTests {
  private var cache = CredentialCache()

  private mutating func stopped(_ faults: [TrustFault] = [TrustScene.unknown]) -> TaskScene {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.endAlone(.serverTrustUndecided(TrustScene.trust(1, faults)), &cache)
    return scene
  }

  @Test mutating func theChainIsAskedAbout() {
    let scene = stopped()
    #expect(scene.question?.space == TrustScene.space())
    #expect(scene.question?.offers == [])
  }

  @Test mutating func aDecisionSendsTheSameRequestAgain() {
    var scene = stopped()
    scene.answer(.useStored, &cache)
    #expect(scene.sent?.url == TaskScene.url() && scene.isExchanging)
  }

  @Test(arguments: [
    ChallengeVerdict.rejectServerTrust, .nextOffer(confirms: false), .deliverRefusal,
    .nextOffer(confirms: true),
    .useCredential(TaskScene.password("x")), .tryCredential(TaskScene.password("x")),
  ])
  mutating func everythingElseFailsClosed(_ verdict: ChallengeVerdict) {
    var scene = stopped()
    scene.answer(verdict, &cache)
    #expect(scene.sent == nil && scene.failure == .transport(.serverTrustRejected([TrustScene.unknown])))
  }

  @Test mutating func aServerThatShowsAnotherChainEachTimeIsGivenUp() {
    var scene = TaskScene()
    scene.begin(&cache)
    for number in 1...TaskStateMachine.maximumHandshakeQuestions {
      scene.endAlone(.serverTrustUndecided(TrustScene.trust(UInt8(number))), &cache)
      scene.answer(.useStored, &cache)
    }
    scene.endAlone(.serverTrustUndecided(TrustScene.trust(99)), &cache)
    #expect(scene.failure == .transport(.serverTrustRejected([TrustScene.unknown])))
  }

  @Test mutating func aPasswordThatWasToGoOutIsSentAfterTheQuestion() {
    var scene = TaskScene()
    cache.store(
      TaskScene.password("p", limits: Self.once), for: TaskScene.space(), owner: 1, now: 0)
    scene.begin(&cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    let first = scene.authorization
    scene.endAlone(.serverTrustUndecided(TrustScene.trust()), &cache)
    scene.answer(.useStored, &cache)
    #expect(first != nil && scene.authorization == first)
  }

  private static var once: CredentialLimits {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    return limits
  }
}
