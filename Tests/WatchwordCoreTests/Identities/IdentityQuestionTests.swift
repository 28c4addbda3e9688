import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The question which client certificate to present: every answer decides, but for the one that cancels.
struct IdentityQuestionTests {
  private func space(_ issuers: String...) -> ProtectionSpace {
    ProtectionSpace(
      origin: TrustScene.origin,
      certificateRequest: CertificateRequest(
        issuers: issuers.map { DistinguishedName(text: $0, digest: fingerprint($0)) }, keyTypes: [.ec]))
  }

  private func identity(_ persistence: Persistence = .forSession) -> Credential {
    Credential(.identity(.of("mine", issuers: ["Staff"])), persistence: persistence)
  }

  @Test func anIdentityForTheSessionServesEveryWaiter() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.clientCertificate])
    scene.delegate(2)
    scene.ask(30, of: 1, about: space("Guests"))
    scene.ask(10, of: 1, about: space("Staff"))
    scene.ask(20, of: 2, about: space("Staff"))
    try scene.reply(1, .useCredential, identity())
    #expect(scene.decided.map(\.isForSession) == [true])
    #expect(scene.decided.first?.tasks.map(\.number) == [10, 20])
    #expect(scene.resumed == [10: .useStored, 20: .useStored])
    #expect(scene.notices.count == 2)
  }

  @Test(arguments: [true, false])
  func noneIsForTheSessionWhenASessionDelegateSaysIt(_ isSessionDelegate: Bool) throws {
    for disposition in [Disposition.useCredential, .rejectProtectionSpace, .performDefaultHandling] {
      var scene = BoardScene()
      scene.delegate(
        1, tasks: isSessionDelegate ? [] : [.clientCertificate],
        session: isSessionDelegate ? [.clientCertificate] : [])
      scene.ask(10, of: 1, about: space("Staff"))
      try scene.reply(1, disposition)
      #expect(scene.decided.map(\.isForSession) == [isSessionDelegate])
      #expect(scene.decided.map(\.isDefault) == [disposition == .performDefaultHandling])
      #expect(scene.decided.map(\.credential) == [nil])
      #expect(scene.resumed == [10: .useStored])
    }
  }

  @Test func aCancelledQuestionIsNotDecided() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.clientCertificate])
    scene.ask(10, of: 1, about: space("Staff"))
    try scene.reply(1, .cancelAuthenticationChallenge)
    #expect(scene.decided.isEmpty && scene.resumed == [10: .cancel])
  }

  @Test func onlyAnIdentityAnswersIt() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.clientCertificate])
    scene.ask(10, of: 1, about: space("Staff"))
    for credential in [BoardScene.password("x"), Credential(.trust(.certificate))] {
      #expect(throws: ChallengeBoard.ReplyFault.unusable(.wrongKind)) {
        try scene.reply(1, .useCredential, credential)
      }
    }
    #expect(scene.board.pendingCount == 1 && scene.resumed.isEmpty)
  }

  @Test(arguments: UnansweredMeaning.allCases)
  func theDeadlineMeansWhatTheSessionSays(_ meaning: UnansweredMeaning) {
    var scene = BoardScene(unanswered: meaning)
    scene.delegate(1, tasks: [.clientCertificate])
    scene.ask(10, of: 1, about: space("Staff"))
    scene.tick(after: 301)
    switch meaning {
    case .cancel: #expect(scene.decided.isEmpty && scene.resumed == [10: .cancel])
    case .performDefaultHandling: #expect(scene.decided.map(\.isDefault) == [true])
    case .deliver: #expect(scene.decided.map(\.isDefault) == [false])
    }
    #expect(scene.decided.allSatisfy { !$0.isForSession })
  }

  @Test func whoTakesTheQuestionIsKnownWithoutAskingEveryHolder() {
    var scene = BoardScene()
    let waiter = ChallengeWaiter(task: TaskIdentifier(10), peer: PeerIdentifier(1))
    var seen: [Bool] = []
    func look() { seen.append(scene.board.roster.takesIdentityQuestions(of: waiter)) }
    scene.delegate(1, tasks: [.basic, .serverTrust])
    scene.delegate(2, tasks: [.clientCertificate])
    look()
    scene.delegate(1, tasks: [.clientCertificate])
    look()
    scene.delegate(1)
    scene.delegate(2, session: [.clientCertificate])
    look()
    scene.disconnect(2)
    look()
    #expect(seen == [false, true, true, false])
  }
}

/// What was decided for some tasks only, and the connections that go with it.
struct TaskGrantsTests {
  private let origin = TrustScene.origin
  private let tasks = [1, 2, 3].map { TaskIdentifier($0) }

  private func decision(_ choice: IdentityChoice = .none) -> IdentityStore.Decision {
    IdentityStore.Decision(request: CertificateRequest(issuers: [], keyTypes: [.ec]), choice: choice)
  }

  @Test func aSecondDecisionJoinsTheFirst() {
    var ledger = TrustStore()
    let trust = TrustDecision(TrustScene.trust(), for: origin)
    #expect(ledger.grant(trust, to: Array(tasks[0...1])).isEmpty)
    // The third has no decision about the certificates: its connections are others.
    #expect(ledger.grant(decision(), for: origin, to: Array(tasks[1...2])).isEmpty)
    let partitions = tasks.map { ledger.partition(for: $0, to: origin, isAsked: false) }
    #expect(Set(partitions).count == 3)
    let grants = partitions.map { ledger.grants.grant(of: $0) }
    #expect(grants.map { $0?.trust } == [trust, trust, nil])
    #expect(grants.map { $0?.identities.count } == [0, 1, 1])
  }

  @Test func aPartitionIsClosedWithItsLastTask() {
    var ledger = TrustStore()
    ledger.grant(TrustDecision(TrustScene.trust(), for: origin), to: Array(tasks[0...1]))
    let partition = ledger.partition(for: tasks[0], to: origin, isAsked: false)
    #expect(ledger.grant(decision(.identity("i")), for: origin, to: [tasks[0]]).isEmpty)
    #expect(ledger.grants.mentions(identity: "i"))
    let left = ledger.ended(tasks[1])
    #expect(left == [partition.ground])
    #expect(ledger.ended(tasks[1]).isEmpty)
    #expect(ledger.ended(tasks[0]).count == 1)
    #expect(!ledger.grants.mentions(identity: "i"))
  }
}
