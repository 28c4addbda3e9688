import Testing
import WatchwordSecret
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

  @Test func withNobodyToAskDefaultHandlingHappensAtOnce() {
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
      return scene.board.canAsk(for: waiter, now: scene.now)(BoardScene.space("r", method), isShared)
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

  @Test func oneQuestionServesEverybodyWhoMeetsTheSameSpace() throws {
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

  @Test func aSessionDelegateSpeaksForEverybody() throws {
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

struct CredentialsOnTrial {
  private let credential = BoardScene.password("x")

  private func trial() throws -> BoardScene {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic], session: [.basic])
    for task: UInt64 in 10...13 { scene.ask(task, of: 1) }
    try scene.reply(1, .useCredential, credential)
    return scene
  }

  @Test func oneTriesWhileTheOthersWait() throws {
    let scene = try trial()
    #expect(scene.resumed == [10: .tryCredential(credential)])
    #expect(scene.board.nextDeadline == ChallengeBoard.trialSeconds)
  }

  @Test func refusedTheyWaitOnUnderTheNextChallenge() throws {
    var scene = try trial()
    scene.ask(10, of: 1, refused: credential)
    #expect(scene.notices.count == 2)
    #expect(scene.board.challenge(scene.current)?.raiser.task.number == 10)
    #expect(scene.board.challenge(scene.current)?.question.previousFailureCount == 1)
    #expect(scene.board.challenge(scene.current)?.waiters.count == 4)
  }

  @Test func theSameCredentialIsNotTriedTwice() throws {
    var scene = try trial()
    scene.ask(10, of: 1, refused: credential)
    try scene.reply(1, .useCredential, credential)
    for task: UInt64 in 10...13 { #expect(scene.resumed[task] == .deliverRefusal) }
  }

  @Test func aCredentialThatATaskHasSeenRefusedIsNotTriedAgain() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1, known: [credential])
    scene.ask(11, of: 1, known: [credential])
    try scene.reply(1, .useCredential, credential)
    #expect(scene.resumed == [10: .deliverRefusal, 11: .deliverRefusal])
  }

  @Test func afterTwoSecondsOfSilenceTheNextOneTries() throws {
    var scene = try trial()
    scene.tick(after: 1.9)
    #expect(scene.resumed[11] == nil)
    scene.tick(after: 0.1)
    #expect(scene.resumed[11] == .tryCredential(credential))
    scene.accepted(11)
    #expect(scene.resumed[12] == .useStored && scene.resumed[13] == .useStored)
  }

  @Test func whenTheFirstIsCancelledTheNextOneTries() throws {
    var scene = try trial()
    scene.leave(10)
    #expect(scene.resumed[11] == .tryCredential(credential))
  }

  @Test func whenEverybodyLeavesNothingIsPending() throws {
    var scene = try trial()
    for task: UInt64 in 10...13 { scene.leave(task) }
    #expect(scene.board.nextDeadline == nil && scene.board.waitingCount == 0)
  }

  @Test func aTrierWhoLeavesWithARefusalBringsTheQuestionBack() throws {
    var scene = try trial()
    scene.leave(10, refused: credential)
    #expect(scene.notices.count == 2)
    #expect(scene.board.challenge(scene.current)?.waiters.map(\.task.number) == [11, 12, 13])
  }

  @Test func oneRefusalOfSeveralTriersAsksAndALateAcceptanceServesThoseNotRefused() throws {
    var scene = try trial()
    scene.tick(after: 2)
    scene.ask(10, of: 1, refused: credential)
    #expect(scene.notices.count == 2)
    scene.accepted(11)
    #expect(scene.resumed[12] == .useStored && scene.resumed[13] == .useStored)
    #expect(scene.resumed[10] == nil)
    #expect(scene.board.challenge(scene.current)?.waiters.map(\.task.number) == [10])
    try scene.reply(1, .rejectProtectionSpace)
    #expect(scene.board.waitingCount == 0 && scene.board.nextDeadline == nil)
  }

  @Test func whoeverComesDuringATrialWaitsForIt() throws {
    var scene = try trial()
    scene.ask(14, of: 1)
    #expect(scene.notices.count == 1)
    scene.accepted(10)
    #expect(scene.resumed[14] == .useStored)
  }

  @Test func aTrierThatGoesOnToAnotherSpaceWithARefusalBringsTheQuestionBack() throws {
    var scene = try trial()
    scene.ask(10, of: 1, realm: "other", refused: credential)
    #expect(scene.notices.count == 3)
    #expect(scene.board.waitingCount == 4)
  }

  @Test func theAnswererOfATrialIsKnown() throws {
    let scene = try trial()
    #expect(scene.board.answerer(ofTrialBy: TaskIdentifier(10))?.number == 1)
    #expect(scene.board.answerer(ofTrialBy: TaskIdentifier(11)) == nil)
  }
}

struct ManyWaiters {
  /// Quadratic time would take longer than the limit.
  @Test(.timeLimit(.minutes(1))) func tenThousandWaitAreServedAndLeave() throws {
    let count: UInt64 = 10_000
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic], session: [.basic])
    for task in 1...count { scene.ask(task, of: 1) }
    #expect(scene.board.waitingCount == Int(count))
    for task in 1...(count / 2) { scene.leave(count - task) }
    #expect(scene.board.waitingCount == Int(count / 2))
    try scene.reply(1, .useCredential, BoardScene.password("x"))
    #expect(scene.resumed[1] == .tryCredential(BoardScene.password("x")))
    scene.accepted(1)
    #expect(scene.resumed[count] == .useStored && scene.resumed.count == Int(count / 2))
    #expect(scene.board.waitingCount == 0)
    for task in 1...count { scene.ask(task + count, of: 1, realm: "r\(task)") }
    #expect(scene.board.waitingCount == Int(count))
    for task in 1...count { scene.leave(task + count) }
    #expect(scene.board.waitingCount == 0)
    #expect(scene.notices.count == Int(count) + 1)
  }
}
