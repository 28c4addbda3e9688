import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A task whose handshake was stopped to ask: nothing of the request was sent, so all of it goes out again.
struct HandshakeTests {
  private var memory = SessionMemory()

  private mutating func stopped(_ faults: [TrustFault] = [TrustScene.unknown]) -> TaskScene {
    var scene = TaskScene()
    scene.begin(memory)
    scene.endAlone(.serverTrustUndecided(TrustScene.trust(1, faults)), memory)
    return scene
  }

  @Test mutating func theChainIsAskedAbout() {
    let scene = stopped()
    #expect(scene.question?.space == TrustScene.space())
    #expect(scene.question?.offers == [])
  }

  @Test mutating func aDecisionSendsTheSameRequestAgain() {
    var scene = stopped()
    scene.answer(.useStored, memory)
    #expect(scene.sent?.url == TaskScene.url() && scene.isExchanging)
  }

  @Test(arguments: [
    ChallengeVerdict.rejectServerTrust, .nextOffer(confirms: false), .deliverRefusal,
    .nextOffer(confirms: true),
    .useCredential(TaskScene.password("x")), .tryCredential(TaskScene.password("x")),
  ])
  mutating func everythingElseFailsClosed(_ verdict: ChallengeVerdict) {
    var scene = stopped()
    scene.answer(verdict, memory)
    #expect(scene.sent == nil && scene.failure == .transport(.serverTrustRejected([TrustScene.unknown])))
  }

  @Test mutating func aServerThatShowsAnotherChainEachTimeIsGivenUp() {
    var scene = TaskScene()
    scene.begin(memory)
    for number in 1...TaskStateMachine.maximumHandshakeQuestions {
      scene.endAlone(.serverTrustUndecided(TrustScene.trust(UInt8(number))), memory)
      scene.answer(.useStored, memory)
    }
    scene.endAlone(.serverTrustUndecided(TrustScene.trust(99)), memory)
    #expect(scene.failure == .transport(.serverTrustRejected([TrustScene.unknown])))
  }

  @Test mutating func aPasswordThatWasToGoOutIsSentAfterTheQuestion() {
    var scene = TaskScene()
    memory.store(TaskScene.password("p", limits: Self.once), for: TaskScene.space(), owner: 1, now: 0)
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    let first = scene.authorization
    scene.endAlone(.serverTrustUndecided(TrustScene.trust()), memory)
    scene.answer(.useStored, memory)
    #expect(first != nil && scene.authorization == first)
  }

  private static var once: CredentialLimits {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    return limits
  }
}
