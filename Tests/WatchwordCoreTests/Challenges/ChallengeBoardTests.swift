import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

struct WhoIsAsked {
  @Test func aTaskSpecificChallengeGoesToTheTasksOwnConnectionFirst() {
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    scene.delegate(2, tasks: [.basic])
    scene.ask(10, of: 2)
    #expect(scene.notices.map(\.peer) == [2])
  }

  @Test func aSessionWideChallengeGoesToTheFirstSessionDelegate() {
    var scene = BoardScene()
    scene.delegate(2, tasks: [.negotiate])
    scene.delegate(3, session: [.negotiate])
    scene.delegate(1, session: [.negotiate])
    scene.ask(10, of: 2, method: .negotiate)
    #expect(scene.notices.map(\.peer) == [3])
  }

  @Test func aSessionDelegateForTheFourSessionWideMethodsNeverGetsABasicChallenge() {
    var scene = BoardScene()
    scene.delegate(1, session: [.serverTrust, .clientCertificate, .negotiate, .ntlm])
    scene.ask(10, of: 2)
    #expect(scene.notices.isEmpty)
    #expect(scene.resumed[10] == .nextOffer(confirms: false))
  }

  @Test func withoutADelegateDefaultHandlingHappensAtOnce() {
    var scene = BoardScene()
    scene.delegate(1)
    scene.ask(10, of: 1)
    #expect(scene.resumed[10] == .nextOffer(confirms: false))
    #expect(scene.settled.isEmpty)
    #expect(scene.board.nextDeadline == nil)
  }

  @Test func theNextCandidateIsAskedWhenTheFirstDisconnectsAndTheDeadlineStays() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.delegate(2, session: [.basic])
    scene.ask(10, of: 1)
    scene.now = 100
    scene.disconnect(1)
    #expect(scene.notices.map(\.peer) == [1, 2])
    #expect(Set(scene.notices.map(\.challenge)).count == 1)
    #expect(scene.board.nextDeadline == 300)
  }

  @Test func theNextCandidateIsAskedWhenTheFirstStopsTakingTheMethod() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.delegate(2, session: [.basic])
    scene.ask(10, of: 1)
    scene.delegate(1, tasks: [.digest])
    #expect(scene.notices.map(\.peer) == [1, 2])
  }

  @Test func whenTheLastCandidateDisconnectsDefaultHandlingHappens() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    scene.disconnect(1)
    #expect(scene.resumed[10] == .nextOffer(confirms: false))
    #expect(scene.settled.map(\.outcome) == [.default])
    #expect(scene.board.pendingCount == 0 && scene.board.waitingCount == 0)
  }

  @Test func aChallengeWhoseLastWaiterIsGoneIsWithdrawn() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    scene.ask(11, of: 1)
    scene.leave(10)
    #expect(scene.settled.isEmpty)
    scene.leave(11)
    #expect(scene.settled.map(\.outcome) == [.withdrawn])
    #expect(scene.board.nextDeadline == nil)
  }

  @Test func whenTheRaiserLeavesTheChallengeDescribesATaskThatIsStillThere() {
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    scene.ask(10, of: 1)
    scene.ask(11, of: 2)
    scene.leave(10)
    let challenge = scene.board.challenge(scene.current)
    #expect(challenge?.raiser.task.number == 11)
    #expect(challenge?.question.url.path == "/t11")
  }

  @Test func aTaskKnowsAheadWhetherItsQuestionWouldWait() throws {
    var scene = BoardScene()
    func canAsk(
      _ task: UInt64, _ peer: UInt64?, _ method: AuthenticationMethod = .basic, isShared: Bool = true
    )
      -> Bool
    {
      let waiter = ChallengeWaiter(task: TaskIdentifier(task), peer: peer.map { PeerIdentifier($0) })
      return scene.board.canAsk(for: waiter)(
        BoardScene.space("r", method), isShared ? .overWays([]) : .alone, nil, scene.now)
    }
    scene.delegate(1, tasks: [.basic])
    #expect(canAsk(10, 1) && !canAsk(10, 1, .digest) && !canAsk(20, 2) && !canAsk(20, nil))
    // Another task's question serves this one, unless its URL names a user.
    scene.ask(10, of: 1)
    #expect(canAsk(20, 2) && !canAsk(20, 2, isShared: false))
    // So does a cancel of a moment ago.
    scene.lastTask = 20
    scene.delegate(9)
    try scene.reply(9, .cancelAuthenticationChallenge)
    #expect(canAsk(20, 2) && !canAsk(21, 2))
    scene.delegate(3, session: [.basic])
    #expect(canAsk(21, 2) && canAsk(21, nil))
    scene.delegate(3, session: [.digest])
    #expect(!canAsk(21, 2) && canAsk(21, 2, .digest))
    scene.disconnect(3)
    #expect(!canAsk(21, 2, .digest))
  }

  @Test func strangersCannotAnswerAndHoldersCan() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    #expect(throws: ChallengeBoard.ReplyFault.notPending) { try scene.reply(9, .rejectProtectionSpace) }
    scene.delegate(9)
    try scene.reply(9, .useCredential, BoardScene.password("x"))
    #expect(scene.resumed[10] == .tryCredential(BoardScene.password("x")))
  }
}

struct WhoSpeaksForWhom {
  private func scene() -> BoardScene {
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    scene.delegate(2, tasks: [.basic])
    scene.delegate(9)
    scene.ask(10, of: 2)
    scene.ask(20, of: 3)
    return scene
  }

  @Test(arguments: [
    (Disposition.cancelAuthenticationChallenge, ChallengeVerdict.cancel),
    (.rejectProtectionSpace, .excludeOffer),
    (.performDefaultHandling, .nextOffer(confirms: true)), (.useCredential, .deliverRefusal),
  ])
  func aHolderWhoWasNotAskedAndHasNoTaskSpeaksForAll(
    _ disposition: Disposition, _ verdict: ChallengeVerdict
  ) throws {
    var scene = scene()
    try scene.reply(9, disposition)
    #expect(scene.resumed == [10: verdict, 20: verdict])
    #expect(scene.notices.count == 1 && scene.board.waitingCount == 0)
  }

  @Test func aUseIsConfirmedForOneProcess() throws {
    var scene = BoardScene()
    scene.delegate(9, session: [.basic])
    for (task, process) in [(10, 1), (20, 2), (11, 1)] as [(UInt64, UInt64)] {
      scene.ask(task, of: process, confirming: BoardScene.process(process))
    }
    #expect(scene.notices.map(\.challenge) == ["c1", "c2"])
    try scene.reply(9, .performDefaultHandling, to: "c1")
    let yes = ChallengeVerdict.nextOffer(confirms: true)
    #expect(scene.resumed == [10: yes, 11: yes])
    try scene.reply(9, .cancelAuthenticationChallenge, to: "c2")
    scene.ask(19, of: 2, confirming: 2)
    scene.ask(12, of: 1, confirming: 1)
    #expect(scene.resumed == [10: yes, 11: yes, 20: .cancel, 19: .cancel])
    #expect(scene.notices.map(\.challenge) == ["c1", "c2", "c3"])
  }

  @Test func nobodyConfirmsAUseOfItsOwn() throws {
    var scene = BoardScene()
    // 2 is another connection of the process of 1.
    scene.delegate(1, tasks: [.basic], session: [.basic])
    scene.delegate(2, session: [.basic], of: BoardScene.process(1))
    scene.ask(10, of: 1, confirming: 1)
    #expect(scene.resumed == [10: .nextOffer(confirms: false)] && scene.notices.isEmpty)
    scene.delegate(3, session: [.basic])
    scene.delegate(4)
    let waiter = ChallengeWaiter(task: TaskIdentifier(11), peer: PeerIdentifier(1))
    let canAsk = scene.board.canAsk(for: waiter)
    #expect(canAsk(BoardScene.space("r"), .overWays([]), ConfirmedUse(process: 1), scene.now))
    #expect(!canAsk(BoardScene.space("r"), .overWays([]), ConfirmedUse(process: nil), scene.now))
    scene.ask(11, of: 1, confirming: 1)
    #expect(scene.notices.map(\.peer) == [3])
    let challenge = try #require(scene.board.challenge(scene.current))
    let entitled = (1...4).filter { scene.board.isEntitled(PeerIdentifier($0), to: challenge) }
    #expect(entitled == [3, 4])
    for peer in 1...2 as ClosedRange<UInt64> {
      #expect(throws: ChallengeBoard.ReplyFault.notPending) {
        try scene.reply(peer, .performDefaultHandling)
      }
    }
    try scene.reply(4, .performDefaultHandling)
    #expect(scene.resumed[11] == .nextOffer(confirms: true))
    scene.ask(12, of: 1, confirming: 1)
    scene.disconnect(3)
    #expect(scene.resumed[12] == .nextOffer(confirms: false))
  }

  @Test func aPersonsCancelIsRememberedForAll() throws {
    var scene = scene()
    scene.ask(30, of: 3, realm: "other")
    try scene.reply(9, .cancelAuthenticationChallenge, to: "c1")
    scene.ask(30, of: 3)
    #expect(scene.resumed[30] == .cancel)
  }

  @Test func aWaiterSpeaksForItsOwnTasks() throws {
    var scene = scene()
    try scene.reply(2, .cancelAuthenticationChallenge)
    #expect(scene.resumed == [10: .cancel])
    #expect(scene.notices.map(\.peer) == [2, 1])
  }

  @Test func whoWasAskedForATaskThatIsGoneAnswersTooLate() throws {
    var scene = scene()
    scene.leave(10)
    #expect(scene.notices.map(\.peer) == [2, 1])
    #expect(throws: ChallengeBoard.ReplyFault.notPending) {
      try scene.reply(2, .cancelAuthenticationChallenge)
    }
    #expect(scene.resumed.isEmpty && scene.board.pendingCount == 1)
    try scene.reply(2, .useCredential, BoardScene.password("x"))
    #expect(scene.resumed[20] == .tryCredential(BoardScene.password("x")))
  }
}

struct ManyCallersOneQuestion {
  private func threeTasks() -> BoardScene {
    var scene = BoardScene()
    for peer: UInt64 in 1...3 { scene.delegate(peer, tasks: [.basic]) }
    scene.ask(10, of: 1)
    scene.ask(20, of: 2)
    scene.ask(30, of: 3)
    return scene
  }

  @Test func oneQuestionServesEveryTaskThatMeetsTheSameSpace() throws {
    var scene = threeTasks()
    #expect(scene.notices.count == 1)
    try scene.reply(1, .useCredential, BoardScene.password("x"))
    #expect(scene.resumed == [10: .tryCredential(BoardScene.password("x"))])
    scene.accepted(10)
    #expect(scene.resumed[20] == .useStored && scene.resumed[30] == .useStored)
    #expect(scene.board.waitingCount == 0 && scene.board.nextDeadline == nil)
    #expect(scene.settled.map(\.outcome) == [.answered])
  }

  @Test func theSecondReplyIsRefused() throws {
    var scene = threeTasks()
    try scene.reply(1, .useCredential, BoardScene.password("x"))
    #expect(throws: ChallengeBoard.ReplyFault.notPending) {
      try scene.reply(1, .cancelAuthenticationChallenge)
    }
  }

  @Test func anUnusableCredentialLeavesTheChallengePending() throws {
    var scene = threeTasks()
    let token = Credential(.token(.init(Array("t".utf8))))
    #expect(throws: ChallengeBoard.ReplyFault.unusable(.wrongKind)) {
      try scene.reply(1, .useCredential, token)
    }
    try scene.reply(1, .useCredential, BoardScene.password("x"))
  }

  @Test(arguments: [
    (Disposition.cancelAuthenticationChallenge, ChallengeVerdict.cancel),
    (.rejectProtectionSpace, .excludeOffer),
    (.performDefaultHandling, .nextOffer(confirms: true)),
    (.useCredential, .deliverRefusal),
  ])
  func anAnswerThatGivesNothingSettlesOnlyTheAnswerersTasks(
    _ disposition: Disposition, _ verdict: ChallengeVerdict
  ) throws {
    var scene = threeTasks()
    scene.now = 50
    try scene.reply(1, disposition)
    #expect(scene.resumed == [10: verdict])
    #expect(scene.notices.map(\.peer) == [1, 2])
    #expect(Set(scene.notices.map(\.challenge)).count == 2)
    let challenge = scene.board.challenge(scene.current)
    #expect(challenge?.raiser.task.number == 20 && challenge?.question.url.path == "/t20")
    #expect(scene.board.nextDeadline == 300)
  }

  @Test func aSessionDelegateAnswersForEveryTask() throws {
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    scene.ask(10, of: 1)
    scene.ask(20, of: 2)
    try scene.reply(1, .rejectProtectionSpace)
    #expect(scene.resumed == [10: .excludeOffer, 20: .excludeOffer])
  }

  @Test func persistenceNoneServesTheAnswerersTasksAndTheOthersAreAskedAtOnce() throws {
    var scene = threeTasks()
    scene.ask(11, of: 1)
    let mine = BoardScene.password("mine", .none)
    try scene.reply(1, .useCredential, mine)
    #expect(scene.resumed == [10: .tryCredential(mine)])
    #expect(scene.notices.map(\.peer) == [1, 2])
    scene.accepted(10)
    #expect(scene.resumed[11] == .useCredential(mine))
    #expect(scene.resumed[20] == nil)
    let others = BoardScene.password("others", .none)
    try scene.reply(2, .useCredential, others)
    scene.accepted(20)
    #expect(scene.resumed[30] == nil)
    #expect(scene.notices.map(\.peer) == [1, 2, 3])
  }

  @Test func whoAnsweredForItselfIsAskedAgainForItsNextTask() throws {
    var scene = threeTasks()
    try scene.reply(1, .rejectProtectionSpace)
    scene.ask(11, of: 1)
    try scene.reply(2, .rejectProtectionSpace)
    try scene.reply(3, .rejectProtectionSpace)
    #expect(scene.notices.map(\.peer).last == 1)
    #expect(scene.resumed[11] == nil)
  }

  @Test func aRememberedCancelSpeaksForThoseInFlightAndNotForLaterTasks() throws {
    var scene = threeTasks()
    scene.lastTask = 40
    try scene.reply(1, .cancelAuthenticationChallenge)
    try scene.reply(2, .cancelAuthenticationChallenge)
    scene.ask(40, of: 1)
    #expect(scene.resumed[40] == .cancel)
    scene.ask(41, of: 1)
    #expect(scene.resumed[41] == nil)
    scene.now = 10.5
    scene.ask(39, of: 1)
    #expect(scene.resumed[39] == nil)
  }

  @Test func aTaskWithUserinfoIsNotCoalesced() throws {
    var scene = threeTasks()
    scene.ask(40, of: 1, isShared: false)
    #expect(scene.notices.count == 2)
    try scene.reply(1, .cancelAuthenticationChallenge)
    #expect(scene.resumed == [40: .cancel])
  }

  @Test(arguments: [
    (UnansweredMeaning.cancel, ChallengeVerdict.cancel), (.deliver, .deliverRefusal),
    (.performDefaultHandling, .nextOffer(confirms: false)),
  ])
  func theDeadlineAnswersAsTheSessionSays(_ meaning: UnansweredMeaning, _ verdict: ChallengeVerdict) {
    var scene = BoardScene(unanswered: meaning)
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    scene.ask(20, of: 2)
    scene.tick(after: 299)
    #expect(scene.resumed.isEmpty)
    scene.tick(after: 1)
    #expect(scene.resumed == [10: verdict, 20: verdict])
    #expect(scene.settled.map(\.outcome) == [.deadline])
    #expect(scene.board.nextDeadline == nil)
    #expect(throws: ChallengeBoard.ReplyFault.notPending) { try scene.reply(1, .rejectProtectionSpace) }
  }
}
