import Testing
import WatchwordVocabulary

@testable import WatchwordCore

struct CredentialsOnTrial {
  private let credential = BoardScene.password("x")

  private func trial(_ tasks: ClosedRange<UInt64> = 10...13) throws -> BoardScene {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic], session: [.basic])
    for task in tasks { scene.ask(task, of: 1) }
    try scene.reply(1, .useCredential, credential)
    return scene
  }

  @Test func oneTriesWhileTheOthersWait() throws {
    let scene = try trial()
    #expect(scene.resumed == [10: .tryCredential(credential)])
    #expect(scene.board.nextDeadline == TrialPace.waitSeconds)
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

  @Test func afterTenSecondsOfSilenceTheNextOneTries() throws {
    var scene = try trial()
    scene.tick(after: 9.9)
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

  @Test func whenEveryTaskLeavesNothingIsPending() throws {
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
    scene.tick(after: 10)
    scene.ask(10, of: 1, refused: credential)
    #expect(scene.notices.count == 2)
    scene.accepted(11)
    #expect(scene.resumed[12] == .useStored && scene.resumed[13] == .useStored)
    #expect(scene.resumed[10] == nil)
    #expect(scene.board.challenge(scene.current)?.waiters.map(\.task.number) == [10])
    try scene.reply(1, .rejectProtectionSpace)
    #expect(scene.board.waitingCount == 0 && scene.board.nextDeadline == nil)
  }

  /// A thousand tasks and a server that says nothing: four logins, and then whoever gave it is asked again.
  private func silent() throws -> BoardScene {
    var scene = try trial(1...1000)
    for _ in 1...4 { scene.tick(after: 10) }
    return scene
  }

  @Test func aServerThatSaysNothingIsSentItFourTimes() throws {
    var scene = try silent()
    #expect(scene.resumed.keys.sorted() == [1, 2, 3, 4])
    #expect(scene.notices.count == 2)
    #expect(scene.board.challenge(scene.current)?.waiterCount == 996)
    scene.tick(after: 10)
    #expect(scene.resumed.count == 4)
    scene.ask(1001, of: 1)
    #expect(scene.board.challenge(scene.current)?.waiterCount == 997)
  }

  @Test func itsLateAcceptanceServesThoseWhoAreAskedAgain() throws {
    var scene = try silent()
    scene.accepted(2)
    #expect(scene.resumed[5] == .useStored && scene.resumed[1000] == .useStored)
    #expect(scene.settled.map(\.outcome) == [.answered, .withdrawn])
  }

  @Test func itsLateRefusalEndsTheNextTrialOfTheSame() throws {
    var scene = try silent()
    try scene.reply(1, .useCredential, credential)
    #expect(scene.resumed[5] == .tryCredential(credential))
    scene.ask(1, of: 1, refused: credential)
    #expect(scene.board.challenge(scene.current)?.waiterCount == 996)
    scene.tick(after: 10)
    #expect(scene.resumed[6] == nil)
  }

  @Test func tasksThatEndLeaveTheirTryToTheNext() throws {
    var scene = try silent()
    try scene.reply(1, .useCredential, credential)
    for task: UInt64 in 5...100 { scene.leave(task) }
    #expect(scene.resumed[101] == .tryCredential(credential) && scene.resumed[102] == nil)
  }

  @Test func aTaskThatComesDuringATrialWaitsForIt() throws {
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

  @Test func theTasksOfAClosedConnectionEndTogether() throws {
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    scene.ask(10, of: 2)
    scene.ask(11, of: 2)
    try scene.reply(1, .useCredential, BoardScene.password("wrong", .forSession))
    // No question is raised for the second task when the first one leaves with a refusal.
    scene.board.refused(BoardScene.password("wrong", .forSession).kind, to: TaskIdentifier(10))
    scene.disconnect(2, ending: [10, 11])
    #expect(scene.notices.count == 1)
    #expect(scene.settled.count == 1)
    #expect(scene.board.waitingCount == 0)
    #expect(scene.board.nextDeadline == nil)
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
