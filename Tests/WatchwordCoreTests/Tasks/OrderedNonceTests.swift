import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Origins that mind the order of counts, or forget their nonces, without saying `stale` (methods.md 8.4).
struct OrderedNonceTests {
  private var memory = SessionMemory()
  private let space = TaskScene.space("r", .digest)

  /// A session whose Digest credential has been accepted with nonce `n0`.
  private init() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n0"), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
  }

  private mutating func warm(_ count: Int, connected: Bool = true) -> [TaskScene] {
    var scenes = (0..<count).map { _ in TaskScene() }
    for index in scenes.indices {
      scenes[index].number = UInt64(index + 1)
      scenes[index].connects = connected
      scenes[index].begin(memory)
      scenes[index].connects = true
    }
    return scenes
  }

  /// All have sent `n0`, and the server refuses all of them.
  private mutating func refused(_ count: Int) -> [TaskScene] {
    var scenes = warm(count)
    for index in scenes.indices { scenes[index].refuse(TaskScene.digest("p\(index)"), with: memory) }
    return scenes
  }

  /// Tells the tasks whose turn has come, and says which they were.
  @discardableResult
  private mutating func giveTurns(_ scenes: inout [TaskScene]) -> [Int] {
    var all: [Int] = []
    while case let granted = memory.turns.takeGranted(), !granted.isEmpty {
      for task in granted {
        all.append(Int(task.number) - 1)
        scenes[Int(task.number) - 1].turnCame(memory)
      }
    }
    return all
  }

  @Test mutating func countsAreGivenInTheOrderInWhichRequestsGetConnections() {
    var scenes = warm(3, connected: false)
    for index in [2, 0, 1] { scenes[index].connect(memory) }
    #expect(scenes.map { $0.digestField("nc") } == ["00000003", "00000004", "00000002"])
  }

  @Test mutating func aRequestThatIsSentOnceMoreHasAnotherCountAndIsNoFurtherUse() {
    var scene = warm(1)[0]
    scene.connect(memory)
    #expect(scene.digestField("nc") == "00000003")
    #expect(memory.all.map(\.record.uses) == [2])
  }

  @Test mutating func oneTaskRepeatsItsRequestAndThenOneAtATimeIsSent() {
    var scenes = refused(8)
    #expect(scenes[0].sent?.isAuthorizedLate == true)
    #expect(scenes[0].digestField("nonce") == "p0" && scenes[0].digestField("nc") == "00000001")
    #expect(scenes.dropFirst().allSatisfy { $0.machine.phase == .awaitingTurn && $0.sent == nil })
    let given = giveTurns(&scenes)
    #expect(given == [])
    scenes[0].succeed(with: memory)
    for index in 1..<8 {
      let given = giveTurns(&scenes)
      #expect(given == [index])
      #expect(scenes[index].digestField("nonce") == "p0")
      #expect(scenes[index].digestField("nc") == "0000000\(index + 1)")
      // The head is enough; the body may take its time.
      scenes[index].head(200, [], memory)
    }
    #expect(scenes.allSatisfy { $0.question == nil })
    // It stays so: the second of two tasks waits.
    var later = warm(2)
    #expect(later[0].digestField("nc") == "00000009" && later[1].machine.phase == .awaitingTurn)
    later[0].head(204, [], memory)
    let last = giveTurns(&later)
    #expect(last == [1] && later[1].digestField("nc") == "0000000a")
  }

  @Test mutating func aChangedPasswordCostsOneBadLogin() {
    var scenes = refused(64)
    scenes[0].refuse(TaskScene.digest("q"), with: memory)
    let given = giveTurns(&scenes)
    #expect(given == Array(1..<64))
    for scene in scenes {
      #expect(scene.question?.previousFailureCount == 1 && scene.sent == nil)
      #expect(scene.question?.failureResponse?.status == 401)
    }
    #expect(memory.count == 0)
    // What waited is held, so that it can be the result.
    scenes[5].answer(.deliverRefusal, memory)
    #expect(scenes[5].effects.contains { if case .task(.deliverHeld) = $0 { true } else { false } })
  }

  @Test mutating func whoWaitsUsesACredentialThatHasReplacedTheRefusedOne() {
    var scenes = refused(2)
    scenes[0].refuse(TaskScene.digest("q"), with: memory)
    memory.store(TaskScene.password("new"), for: space, owner: 1, now: 0)
    giveTurns(&scenes)
    #expect(scenes[1].question == nil && scenes[1].digestField("nonce") == "p1")
  }

  @Test mutating func requestsWithoutAConnectionAreTakenBack() {
    var sent = warm(1)[0]
    var scene = TaskScene()
    scene.number = 2
    scene.connects = false
    scene.begin(memory)
    sent.refuse(TaskScene.digest("p"), with: memory)
    let begun = memory.turns.takeBegun()
    #expect(begun == [space])
    #expect(scene.machine.sharesNonce(of: space))
    scene.takeBack(memory)
    #expect(scene.sent == nil && scene.machine.phase == .awaitingTurn)
    sent.succeed(with: memory)
    let granted = memory.turns.takeGranted()
    #expect(granted == [TaskIdentifier(2)])
    scene.connects = true
    scene.turnCame(memory)
    #expect(scene.digestField("nonce") == "p" && scene.digestField("nc") == "00000002")
    #expect(memory.all.map(\.record.uses) == [3])
  }

  @Test mutating func anErrorOfTheServersOwnSaysNothingAndTheNextOneTries() {
    var scenes = refused(3)
    scenes[0].head(500, [], memory)
    let first = giveTurns(&scenes)
    #expect(first == [1])
    #expect(scenes[1].digestField("nonce") == "n0")
    scenes[1].refuse(TaskScene.digest("q"), with: memory)
    #expect(scenes[1].digestField("nonce") == "q" && scenes[1].digestField("nc") == "00000001")
    scenes[1].succeed(with: memory)
    let given = giveTurns(&scenes)
    #expect(given == [2] && scenes[2].digestField("nonce") == "q")
  }

  @Test(arguments: [true, false])
  mutating func aTaskThatEndsLeavesItsTurnToTheNext(_ isHolder: Bool) {
    var scenes = refused(3)
    let gone = isHolder ? 0 : 1
    scenes[gone].stop(.cancelled)
    memory.turns.leave(TaskIdentifier(UInt64(gone + 1)))
    if !isHolder { scenes[0].succeed(with: memory) }
    let given = giveTurns(&scenes)
    #expect(given == [isHolder ? 1 : 2])
  }

  @Test mutating func anExchangeThatFailsLeavesItsTurnToTheNext() {
    var scenes = refused(2)
    scenes[0].endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true)), memory)
    let given = giveTurns(&scenes)
    #expect(given == [1] && scenes[1].sent != nil)
  }

  @Test mutating func aSuspendedTaskThatWouldRepeatKeepsNoTaskWaiting() {
    var scenes = warm(2)
    for index in scenes.indices {
      scenes[index].head(401, [HeaderField("WWW-Authenticate", TaskScene.digest("p\(index)"))], memory)
    }
    scenes[1].end(memory)
    scenes[0].machine.suspended(memory)
    let given = giveTurns(&scenes)
    #expect(given == [1])
    scenes[0].end(memory)
    #expect(scenes[0].machine.phase == .awaitingTurn)
  }

  @Test mutating func aNonceThatDiesAfterSomeUsesCostsOneMoreExchangeEachTime() {
    var scenes = refused(1)
    scenes[0].succeed(with: memory)
    for round in 1...20 {
      var scene = warm(1)[0]
      scene.refuse(TaskScene.digest("r\(round)"), with: memory)
      #expect(scene.digestField("nonce") == "r\(round)" && scene.digestField("nc") == "00000001")
      scene.succeed(with: memory)
      #expect(scene.isDelivered && scene.question == nil)
    }
  }

  @Test mutating func everyHopOfATaskMayMeetADeadNonce() {
    var scene = warm(1)[0]
    for hop in 1...12 {
      scene.refuse(TaskScene.digest("h\(hop)"), with: memory)
      #expect(scene.digestField("nonce") == "h\(hop)")
      scene.redirect(to: "a.example", with: memory)
      #expect(scene.digestField("nc") == "00000002")
    }
  }

  @Test mutating func aRefusalThatComesLateIsRepeatedWithTheNonceThatIsAcceptedNow() {
    var scenes = warm(2)
    scenes[0].refuse(TaskScene.digest("p"), with: memory)
    scenes[0].succeed(with: memory)
    scenes[1].refuse(TaskScene.digest("q"), with: memory)
    #expect(scenes[1].digestField("nonce") == "p" && scenes[1].digestField("nc") == "00000002")
    scenes[1].succeed(with: memory)
    #expect(scenes[1].isDelivered)
  }

  @Test mutating func aFirstUseThatOthersOvertakeIsNoRefusal() {
    var scene = warm(1)[0]
    scene.succeed(200, [HeaderField("Authentication-Info", "nextnonce=\"m\"")], with: memory)
    var scenes = warm(2)
    #expect(scenes[0].digestField("nonce") == "m" && scenes[0].digestField("nc") == "00000001")
    scenes[0].refuse(TaskScene.digest("p"), with: memory)
    #expect(scenes[0].digestField("nonce") == "p")
    scenes[1].succeed(with: memory)
    // Alone it is.
    memory = SessionMemory()
    self = OrderedNonceTests()
    var first = warm(1)[0]
    first.succeed(200, [HeaderField("Authentication-Info", "nextnonce=\"m\"")], with: memory)
    var alone = warm(1)[0]
    alone.refuse(TaskScene.digest("p"), with: memory)
    #expect(alone.question?.previousFailureCount == 1)
  }

  @Test mutating func theSameNonceAgainGoesOnWithItsCountUntilCountsArriveInOrder() {
    var scenes = warm(2)
    scenes[0].refuse(TaskScene.digest("n0"), with: memory)
    #expect(scenes[0].digestField("nonce") == "n0" && scenes[0].digestField("nc") == "00000004")
    scenes[1].refuse(TaskScene.digest("n0"), with: memory)
    scenes[0].succeed(with: memory)
    giveTurns(&scenes)
    #expect(scenes[1].digestField("nc") == "00000005")
    scenes[1].refuse(TaskScene.digest("n0"), with: memory)
    #expect(scenes[1].question?.previousFailureCount == 1)
  }

  @Test mutating func aQuestionOfAHandshakeKeepsNoTaskWaiting() {
    var scenes = refused(2)
    scenes[0].succeed(with: memory)
    giveTurns(&scenes)
    scenes[1].endAlone(.serverTrustUndecided(TrustScene.trust()), memory)
    let other = warm(1)[0]
    #expect(other.sent != nil)
    scenes[1].answer(.useStored, memory)
    #expect(scenes[1].machine.phase == .awaitingTurn)
  }

  /// Where requests go one at a time, all use the nonce that is accepted now.
  @Test mutating func aStaleNonceOfAnOrderedSpaceIsReplacedForAll() {
    var scenes = refused(2)
    scenes[0].succeed(with: memory)
    giveTurns(&scenes)
    scenes[1].succeed(with: memory)
    #expect(memory.turns.isOrdered(space))
    var sender = warm(1)[0]
    sender.refuse(TaskScene.digest("s", stale: true), with: memory)
    #expect(sender.digestField("nonce") == "s" && sender.digestField("nc") == "00000001")
    sender.head(500, [], memory)
    let next = warm(1)[0]
    #expect(next.digestField("nonce") == "s" && next.digestField("nc") == "00000002")
  }

  /// Over HTTP/2 one task at a time tries what was given to go unasked.
  @Test mutating func aRefusalThatWaitedCountsWhenTheOtherTaskIsRefusedMeanwhile() {
    var first = warm(1)[0]
    first.networkProtocol = "h2"
    first.succeed(with: memory)
    #expect(memory.trials.hasMultiplexed)
    var scenes = warm(2)
    scenes[0].refuse(TaskScene.digest("p0"), with: memory)
    scenes[1].head(401, [HeaderField("WWW-Authenticate", TaskScene.digest("p1"))], memory)
    scenes[0].refuse(TaskScene.digest("q0"), with: memory)
    #expect(scenes[0].question != nil)
    scenes[1].end(memory)
    #expect(scenes[1].question?.previousFailureCount == 1)
  }

  @Test mutating func aRepetitionIsNoFurtherUse() {
    var scenes = refused(2)
    #expect(memory.all.map(\.record.uses) == [3])
    scenes[0].succeed(with: memory)
    giveTurns(&scenes)
    scenes[1].succeed(with: memory)
    #expect(scenes.allSatisfy(\.isDelivered) && memory.all.map(\.record.uses) == [3])
    var stale = warm(1)[0]
    for round in 1...3 { stale.refuse(TaskScene.digest("s\(round)", stale: true), with: memory) }
    #expect(stale.digestField("nonce") == "s3" && memory.all.map(\.record.uses) == [4])
  }

  @Test mutating func theTurnInOneSpaceIsNoneInAnother() {
    let other = TaskScene.space("s", .digest)
    memory.store(TaskScene.password("y"), for: other, owner: 1, now: 0)
    var scene = refused(1)[0]
    #expect(memory.turns.isHolder(TaskIdentifier(1), of: space))
    memory.turns.begin(other, TaskIdentifier(2))
    scene.refuse(TaskScene.digest("t", realm: "s"), with: memory)
    #expect(scene.machine.phase == .awaitingTurn && scene.sent == nil)
    #expect(!memory.turns.isTaken(space, from: TaskIdentifier(3)))
  }

  @Test mutating func aStaleNonceOfAReplacedCredentialIsNotRenewed() {
    var scene = warm(1)[0]
    memory.store(TaskScene.password("new"), for: space, owner: 1, now: 0)
    scene.refuse(TaskScene.digest("s", stale: true), with: memory)
    #expect(scene.digestField("nonce") == "s" && scene.question == nil)
    #expect(scene.machine.authentication.sent?.kind == TaskScene.password("new").kind)
  }

  @Test(arguments: [8, 9]) mutating func aTaskTakesEightStaleNonces(_ count: Int) {
    var scene = warm(1)[0]
    for round in 1...count { scene.refuse(TaskScene.digest("s\(round)", stale: true), with: memory) }
    #expect((scene.question == nil) == (count == 8))
  }

  /// The answer to a challenge has its nonce for itself: its refusal is the password's.
  @Test mutating func theFirstUseOfANonceThatAnswersItsChallengeIsNotRepeated() {
    var policy = MethodPolicy()
    policy.digest.preemptive = .never
    var scene = TaskScene(policy: policy)
    scene.begin(memory)
    scene.refuse(TaskScene.digest("p"), with: memory)
    #expect(scene.digestField("nonce") == "p" && scene.digestField("nc") == "00000001")
    scene.refuse(TaskScene.digest("q"), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  /// The same for a credential that the session does not keep (8.4).
  @Test(arguments: [1, 2]) mutating func aCredentialOfOneTaskIsRepeatedOnceToo(_ uses: Int) {
    memory = SessionMemory()
    var limits = CredentialLimits()
    limits.maximumUses = uses
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n"), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: limits)), memory)
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.digest("n"), with: memory)
    guard uses == 2 else {
      #expect(scene.question != nil && scene.authorization == nil)
      return
    }
    #expect(scene.digestField("nc") == "00000002")
    scene.refuse(TaskScene.digest("p"), with: memory)
    #expect(scene.digestField("nonce") == "p" && scene.digestField("nc") == "00000001")
    scene.refuse(TaskScene.digest("q"), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  /// Its answer has the nonce of the 401 (8.2), which is refused with the password then.
  @Test mutating func aCredentialOfOneTaskAnswersEachRefusalWithItsNonce() {
    memory = SessionMemory()
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n"), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none)), memory)
    scene.redirect(to: "a.example", with: memory)
    scene.refuse(TaskScene.digest("m"), with: memory)
    #expect(scene.digestField("nonce") == "m" && scene.digestField("nc") == "00000001")
    scene.refuse(TaskScene.digest("o"), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }
}
