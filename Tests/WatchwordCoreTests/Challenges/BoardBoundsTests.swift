import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// How long and how much a board remembers, and whom an answer serves (challenges.md 12).
struct BoardBoundsTests {
  private static let source = CredentialSource(name: "pages", limits: CredentialLimits())

  // MARK: Cancels (challenges.md 12.9)

  private let waiter = ChallengeWaiter(task: TaskIdentifier(10), peer: PeerIdentifier(1))

  private func concerns(_ cancels: CancelMemory, _ realm: String = "r", now: Double) -> Bool {
    cancels.concerns(waiter, in: BoardScene.space(realm), nil, now: now)
  }

  @Test(
    arguments: [(9, nil, false), (10, nil, true), (10, 1, true), (10, 2, false)] as [(UInt64, UInt64?, Bool)])
  func aCancelConcernsTheTasksThatWereThere(last: UInt64, peer: UInt64?, isConcerned: Bool) {
    var cancels = CancelMemory()
    cancels.remember(
      BoardScene.space("r"), nil, of: peer.map { PeerIdentifier($0) }, lastTask: TaskIdentifier(last), now: 5)
    #expect(concerns(cancels, now: 5) == isConcerned && concerns(cancels, now: 14.9) == isConcerned)
    #expect(!concerns(cancels, now: 15) && !concerns(cancels, "s", now: 5))
  }

  @Test(arguments: [(CancelMemory.realmBytes, true), (CancelMemory.realmBytes + 1, false)])
  func aLongRealmIsNotRemembered(bytes: Int, isRemembered: Bool) {
    var cancels = CancelMemory()
    let realm = String(repeating: "r", count: bytes)
    cancels.remember(BoardScene.space(realm), nil, of: nil, lastTask: TaskIdentifier(10), now: 0)
    #expect(concerns(cancels, realm, now: 1) == isRemembered)
  }

  @Test func onlySoManyCancelsAreRememberedAtOnce() {
    var cancels = CancelMemory()
    func remember(_ number: Int, at now: Double) {
      cancels.remember(
        BoardScene.space("r\(number)"), nil, of: nil, lastTask: TaskIdentifier(10), now: now)
    }
    for number in 0..<CancelMemory.capacity { remember(number, at: 0) }
    #expect(concerns(cancels, "r\(CancelMemory.capacity - 1)", now: 1))
    remember(-1, at: 9.9)
    #expect(!concerns(cancels, "r-1", now: 9.9))
    // Those that are over make room.
    remember(-2, at: 10)
    #expect(concerns(cancels, "r-2", now: 10))
  }

  // MARK: Refused credentials

  @Test func onlySoManyRefusedCredentialsAreRemembered() {
    let credentials = (0..<17).map { BoardScene.password("p\($0)") }
    for count in [15, 16, 17] {
      var scene = BoardScene()
      scene.delegate(1, tasks: [.basic])
      scene.ask(10, of: 1, known: Array(credentials.prefix(count)) + Array(credentials.prefix(count)))
      #expect(scene.board.pending.map(\.refused.count) == [min(count, 16)])
    }
    var challenge = PendingChallenge(
      question: ChallengeQuestion(
        url: BoardScene.url("/"), space: BoardScene.space("r"), offers: [], proposed: nil,
        previousFailureCount: 0, failureResponse: nil), raiser: waiter)
    for credential in credentials.prefix(3) { challenge.noteRefusal(of: credential.kind) }
    challenge.withdrawRefusal(of: credentials[1].kind)
    #expect(challenge.refused == [credentials[0].kind, credentials[2].kind])
  }

  /// Whether one task gets all the uses (storage.md 9.5.6).
  @Test(
    arguments: [
      (Persistence.none, 1, true), (.none, nil, false), (.forSession, 1, false), (.forSession, nil, false),
    ] as [(Persistence, Int?, Bool)])
  func usesOfWhatIsNotKeptAreOneTasks(persistence: Persistence, uses: Int?, isForOneTask: Bool) throws {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    let credential = Credential(BoardScene.password("x").kind, persistence: persistence, limits: limits)
    #expect(CredentialTrial(credential, by: nil, servesAll: true).isForOneTask == isForOneTask)
    var scene = BoardScene()
    scene.delegate(1, session: [.basic])
    for task: UInt64 in [10, 11] { scene.ask(task, of: 1) }
    try scene.reply(1, .useCredential, credential)
    #expect(scene.resumed == [10: .tryCredential(credential)])
    // The other one is asked about again.
    #expect(scene.notices.count == (isForOneTask ? 2 : 1))
  }

  /// What the server refuses to one task is not tried by another one, whoever has given it.
  @Test func theSameCredentialOfAnotherReplyIsNotTriedEither() throws {
    for (password, isTried) in [("x", false), ("y", true)] {
      var scene = BoardScene()
      for peer: UInt64 in 1...2 { scene.delegate(peer, tasks: [.basic]) }
      for (task, peer) in [(10, 1), (20, 2), (21, 2)] as [(UInt64, UInt64)] { scene.ask(task, of: peer) }
      try scene.reply(1, .useCredential, BoardScene.password("x", .none))
      try scene.reply(2, .useCredential, BoardScene.password(password, .none))
      #expect(scene.resumed.count == 2)
      scene.leave(10, refused: BoardScene.password("x"))
      scene.leave(20)
      let verdict = ChallengeVerdict.tryCredential(BoardScene.password(password, .none))
      #expect((scene.resumed[21] == verdict) == isTried)
    }
  }

  @Test func aTaskThatGoesOnEndsTheTrialThatWasRefused() throws {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    for task: UInt64 in [10, 11] { scene.ask(task, of: 1) }
    try scene.reply(1, .useCredential, BoardScene.password("x"))
    var effects = scene.board.goesOn(TaskIdentifier(11), now: 0)
    #expect(effects.isEmpty)
    scene.board.refused(BoardScene.password("x").kind, to: TaskIdentifier(10))
    effects = scene.board.goesOn(TaskIdentifier(10), now: 0)
    #expect(effects == [.notify(PeerIdentifier(1), challenge: "c2")])
    effects = scene.board.goesOn(TaskIdentifier(10), now: 0)
    #expect(effects.isEmpty && scene.board.waitingCount == 1)
  }

  // MARK: Handshakes and the lock

  /// "No certificate" of a connection is for its own tasks.
  @Test func noCertificateOfOneConnectionIsNotForTheOthers() throws {
    let space = ProtectionSpace(
      origin: TrustScene.origin, certificateRequest: CertificateRequest(issuers: [], keyTypes: [.ec]))
    var scene = BoardScene()
    for peer: UInt64 in 1...2 { scene.delegate(peer, tasks: [.clientCertificate]) }
    for (task, peer) in [(10, 1), (20, 2)] as [(UInt64, UInt64)] { scene.ask(task, of: peer, about: space) }
    try scene.reply(1, .useCredential)
    #expect(scene.decided.map { $0.tasks.map(\.number) } == [[10]] && scene.resumed == [10: .useStored])
    #expect(scene.decided.map(\.isForSession) == [false])
    #expect(scene.notices.map(\.peer) == [1, 2])
  }

  @Test(arguments: [(.answered, .useCredential), (.withdrawn, nil)] as [(ChallengeOutcome, Disposition?)])
  func whoWasAskedForThePassphraseHearsHowItEnded(_ outcome: ChallengeOutcome, _ disposition: Disposition?) {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.agentUnlock])
    scene.ask(10, of: 1, about: .agentUnlock(before: TrustScene.origin))
    let effects = scene.board.unlock(outcome)
    #expect(
      effects == [
        .settled(challenge: "c1", outcome, disposition, asked: [PeerIdentifier(1)]),
        .resume(TaskIdentifier(10), .useStored),
      ])
    let again = scene.board.unlock(outcome)
    #expect(scene.board.waitingCount == 0 && again.isEmpty)
  }

  @Test func onlyWhoWasAskedLastIsReplaced() {
    var scene = BoardScene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    let interest = DelegateInterest(tasks: .only([.digest]))
    func register(_ peer: UInt64) -> [ChallengeBoard.Effect] {
      scene.board.register(
        PeerIdentifier(peer), of: BoardScene.process(peer), interest: interest, now: 0)
    }
    let effects = [register(2), register(1)]
    #expect(effects == [[], [.askAnother(about: "c1")]])
  }

  // MARK: Sources (storage.md 9.7.3)

  private static func bound() -> BoardScene {
    let scene = BoardScene()
    scene.board.sources.note(
      Credential(BoardScene.password("old").kind, source: source), in: BoardScene.space("r"), owner: nil,
      wallClock: 0)
    return scene
  }

  @Test func aReadableSourceIsSomebodyToAsk() {
    let scene = Self.bound()
    let canAsk = scene.board.canAsk(for: waiter)
    #expect(canAsk(BoardScene.space("r"), .overWays([]), nil, 0))
    #expect(!canAsk(BoardScene.space("r"), .alone, nil, 0))
    #expect(!canAsk(BoardScene.space("r"), .overWays([CallersWay(roots: "r")]), nil, 0))
    #expect(!canAsk(BoardScene.space("s"), .overWays([]), nil, 0))
    let nobody = BoardScene().board.canAsk(for: waiter)
    #expect(!nobody(BoardScene.space("r"), .overWays([]), nil, 0))
  }

  @Test func whatASourceGaveServesLaterTasksOfEveryConnection() {
    var scene = Self.bound()
    scene.delegate(2, tasks: [.basic])
    scene.ask(10, of: 1)
    #expect(scene.board.pending.map(\.hasTriedSource) == [false])
    let credential = Credential(BoardScene.password("new").kind, source: Self.source)
    scene.sourceGives(credential)
    scene.ask(20, of: 2)
    #expect(scene.notices.isEmpty && scene.readings.count == 1)
    scene.accepted(10)
    #expect(scene.resumed[20] == .useStored)
  }

  @Test func aSecondReadingOfAChallengeIsARepeatedOne() {
    var scene = Self.bound()
    scene.ask(10, of: 1)
    let credential = Credential(BoardScene.password("new").kind, source: Self.source)
    scene.sourceGives(credential)
    scene.ask(10, of: 1, refused: credential)
    #expect(scene.readings.count == 2 && scene.board.pending.map(\.hasTriedSource) == [true])
  }

  @Test(arguments: [nil, 1, 2] as [UInt64?]) func aCodeCanBeShownToWhoCanBeAsked(_ peer: UInt64?) throws {
    var scene = Self.bound()
    if let peer { scene.delegate(peer, tasks: [.basic]) }
    scene.ask(10, of: 1)
    let challenge = try #require(scene.board.pending.first)
    #expect(scene.board.canShow(challenge) == (peer == 1))
  }

  @Test(arguments: [
    (Persistence.synchronizable, ProposedCredential.Source.synchronizable), (.permanent, .permanent),
  ])
  func aRecordIsProposedAsWhatItIs(_ persistence: Persistence, _ source: ProposedCredential.Source) {
    let entry = CachedCredential(
      generation: 1, space: BoardScene.space("r"), credential: BoardScene.password("x", persistence),
      isDefault: true, record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
    #expect(ProposedCredential.Source(ofRecord: entry) == source)
  }
}
