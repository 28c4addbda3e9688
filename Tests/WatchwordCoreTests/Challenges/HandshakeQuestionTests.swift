import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Questions of a TLS handshake on the board: an answer decides, and no server has to agree.
struct HandshakeQuestionTests {
  private func trust(_ persistence: Persistence, _ scope: TrustScope = .certificate) -> Credential {
    Credential(.trust(scope), persistence: persistence)
  }

  @Test func anAnswerForTheSessionServesEveryWaiter() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.serverTrust])
    scene.delegate(2)
    scene.ask(10, of: 1, about: TrustScene.space())
    scene.ask(20, of: 2, about: TrustScene.space())
    try scene.reply(1, .useCredential, trust(.forSession))
    #expect(scene.decided.map(\.isForSession) == [true])
    #expect(scene.decided.first?.tasks.map(\.number) == [10, 20])
    #expect(scene.resumed == [10: .useStored, 20: .useStored])
    #expect(scene.notices.count == 1)
  }

  @Test func anAnswerWithoutPersistenceServesTheAnswerersTasks() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.serverTrust])
    scene.delegate(2, tasks: [.serverTrust])
    scene.ask(10, of: 1, about: TrustScene.space())
    scene.ask(20, of: 2, about: TrustScene.space())
    try scene.reply(1, .useCredential, trust(.none))
    #expect(scene.decided.map(\.isForSession) == [false])
    #expect(scene.decided.first?.tasks.map(\.number) == [10])
    #expect(scene.resumed == [10: .useStored])
    #expect(scene.notices.map(\.peer) == [1, 2])
  }

  @Test func anotherChainOrOtherFaultsAreAnotherQuestion() {
    var scene = BoardScene()
    scene.delegate(1, session: [.serverTrust])
    for (task, trust) in [
      TrustScene.trust(1), TrustScene.trust(2), TrustScene.trust(1, [TrustScene.expired]),
      TrustScene.trust(1),
    ].enumerated() {
      scene.ask(UInt64(task), of: 1, about: TrustScene.space(trust))
    }
    #expect(scene.notices.count == 3)
  }

  @Test func onlyAVerdictAnswersIt() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.serverTrust])
    scene.ask(10, of: 1, about: TrustScene.space())
    for credential in [nil, BoardScene.password("x")] {
      #expect(throws: ChallengeBoard.ReplyFault.unusable(.wrongKind)) {
        try scene.reply(1, .useCredential, credential)
      }
    }
    #expect(scene.board.pendingCount == 1 && scene.resumed.isEmpty)
  }

  @Test(arguments: [
    Disposition.cancelAuthenticationChallenge, .rejectProtectionSpace, .performDefaultHandling,
  ])
  func whatIsRefusedIsNotDecided(_ disposition: Disposition) throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.serverTrust])
    scene.ask(10, of: 1, about: TrustScene.space())
    try scene.reply(1, disposition)
    #expect(scene.decided.isEmpty && scene.resumed == [10: .rejectServerTrust])
  }

  @Test(arguments: [true, false])
  func defaultHandlingOfAGoodChainIsADecision(_ isSessionDelegate: Bool) throws {
    var scene = BoardScene()
    scene.delegate(
      1, tasks: isSessionDelegate ? [] : [.serverTrust], session: isSessionDelegate ? [.serverTrust] : [])
    scene.ask(10, of: 1, about: TrustScene.space(TrustScene.trust(1, [])))
    try scene.reply(1, .performDefaultHandling)
    #expect(scene.decided.map(\.isForSession) == [isSessionDelegate])
    #expect(scene.resumed == [10: .useStored])
  }

  @Test func whoTakesRefusedChainsOnlyIsNotAskedAboutAGoodOne() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.serverTrust], trustVerdicts: .refused)
    let waiter = ChallengeWaiter(task: TaskIdentifier(10), peer: PeerIdentifier(1))
    #expect(!scene.board.roster.seesEveryChain(of: waiter))
    scene.ask(10, of: 1, about: TrustScene.space(TrustScene.trust(1, [])))
    #expect(scene.notices.isEmpty && scene.resumed == [10: .useStored])
    scene.ask(11, of: 1, about: TrustScene.space())
    #expect(scene.notices.map(\.peer) == [1])
  }

  @Test func whoSeesEveryChainFollowsWhatHoldersSay() {
    var scene = BoardScene()
    let waiter = ChallengeWaiter(task: TaskIdentifier(10), peer: PeerIdentifier(1))
    var seen: [Bool] = []
    func look() { seen.append(scene.board.roster.seesEveryChain(of: waiter)) }
    scene.delegate(1, tasks: [.basic])
    scene.delegate(2, tasks: [.serverTrust])
    look()
    scene.delegate(2, session: [.serverTrust])
    look()
    scene.delegate(2, session: [.serverTrust], trustVerdicts: .refused)
    look()
    scene.delegate(1, tasks: [.serverTrust])
    look()
    scene.delegate(2, session: [.serverTrust])
    scene.disconnect(1)
    look()
    scene.disconnect(2)
    look()
    #expect(seen == [false, true, false, true, true, false])
  }

  @Test(arguments: UnansweredMeaning.allCases)
  func theDeadlineLetsNoBadChainThrough(_ meaning: UnansweredMeaning) {
    var scene = BoardScene(unanswered: meaning)
    scene.delegate(1, tasks: [.serverTrust])
    scene.ask(10, of: 1, about: TrustScene.space())
    scene.tick(after: 301)
    #expect(scene.decided.isEmpty && scene.resumed[10] != nil && scene.resumed[10] != .useStored)
  }
}
