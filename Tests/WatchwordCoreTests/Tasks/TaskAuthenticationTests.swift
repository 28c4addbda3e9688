import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// The rules of challenges.md 5 and 7, as one task meets them.
struct TaskAuthenticationTests {
  private var memory = SessionMemory()

  @Test mutating func anAcceptedTrialIsReportedAndUsedUnaskedFromThenOn() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    #expect(scene.question?.space == TaskScene.space())
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
    #expect(memory.all.map(\.record.uses) == [1])
    var warm = TaskScene()
    warm.begin(memory)
    #expect(warm.authorization == "Basic am9lOng=")
  }

  @Test mutating func aRefusedTrialAsksAgainWithOneFailureMoreAndTheRefusedUser() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
    #expect(scene.question?.proposed?.user == "joe")
    #expect(scene.question?.refused == [TaskScene.password("x").kind])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
  }

  @Test mutating func anExchangeThatWasRefusedStillSaysWhatItCarried() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.machine.authentication.methodInUse == .basic)
  }

  @Test mutating func aCredentialThatWasRefusedIsNotSentAgainAndThe401IsDelivered() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.sent == nil && scene.isDelivered)
  }

  /// Many servers name no challenge to a token that has ended, and proxies none to a password.
  @Test(arguments: [AuthenticationMethod.basic, .bearer])
  mutating func aRefusalWithoutAChallengeRefusesWhatWasSentUnasked(_ method: AuthenticationMethod) {
    let scheme = method == .basic ? "Basic" : "Bearer"
    let first =
      method == .basic
      ? TaskScene.password("x") : Credential(.token(TaskScene.secret("x")), persistence: .forSession)
    var scene = TaskScene.asked("\(scheme) realm=\"r\"", with: memory)
    scene.answer(.tryCredential(first), memory)
    scene.succeed(with: memory)
    var warm = TaskScene()
    warm.begin(memory)
    #expect(warm.authorization?.hasPrefix(scheme) == true)
    warm.refuse(with: memory)
    #expect(warm.question?.space == TaskScene.space("r", method) && warm.question?.previousFailureCount == 1)
    #expect(memory.count == 0)
    var next = TaskScene()
    next.begin(memory)
    #expect(next.authorization == nil)
  }

  /// A nonce is needed: the next request gets one.
  @Test mutating func aDigestRefusedWithoutAChallengeIsNotSentAgain() {
    var scene = TaskScene.asked(TaskScene.digest("n1"), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
    var warm = TaskScene()
    warm.begin(memory)
    #expect(warm.authorization != nil)
    warm.refuse(with: memory)
    #expect(warm.isDelivered && memory.count == 0)
  }

  @Test mutating func aChallengeThatCannotBeAnsweredIsNoRefusal() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
    var warm = TaskScene()
    warm.begin(memory)
    warm.refuse("Hawk", with: memory)
    #expect(warm.isDelivered && memory.count == 1)
  }

  @Test mutating func theBudgetEndsTheLoop() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    for round in 1...5 {
      #expect(scene.question != nil)
      scene.answer(.tryCredential(TaskScene.password("\(round)")), memory)
      scene.refuse(TaskScene.basic(), with: memory)
    }
    #expect(scene.question == nil && scene.isDelivered)
  }

  private static func realms(_ count: Int, of round: Int = 0) -> [HeaderField] {
    (0..<count).map { HeaderField("WWW-Authenticate", TaskScene.basic("\(round)-\($0)")) }
  }

  /// A head has room for thousands of realms.
  @Test(arguments: [ChallengeVerdict.excludeOffer, .nextOffer(confirms: false)])
  mutating func aResponseRaisesABoundedNumberOfQuestions(_ verdict: ChallengeVerdict) {
    var scene = TaskScene()
    scene.begin(memory)
    scene.head(401, Self.realms(60), memory)
    scene.end(memory)
    var questions = 0
    while scene.question != nil {
      questions += 1
      scene.answer(verdict, memory)
    }
    #expect(questions == AuthenticationStateMachine.questionLimit)
    #expect(scene.isDelivered)
  }

  /// Each response names other realms, so that none of them refuses twice.
  @Test mutating func questionsCountAsRefusals() {
    var scene = TaskScene()
    scene.begin(memory)
    var questions = 0
    for round in 0..<100 where !scene.isDelivered {
      scene.head(401, Self.realms(60, of: round), memory)
      scene.end(memory)
      for number in 1...AuthenticationStateMachine.questionLimit where scene.question != nil {
        questions += 1
        let isLast = number == AuthenticationStateMachine.questionLimit
        scene.answer(isLast ? .tryCredential(TaskScene.password("x")) : .excludeOffer, memory)
      }
    }
    #expect(questions == 64)
  }

  @Test(arguments: [ChallengeVerdict.excludeOffer, .nextOffer(confirms: false), .nextOffer(confirms: true)])
  mutating func rejectionAndDefaultHandlingMoveOnToTheNextOffer(_ verdict: ChallengeVerdict) {
    var scene = TaskScene.asked(TaskScene.basic(), TaskScene.digest("n"), with: memory)
    #expect(scene.question?.space.authenticationMethod == .digest)
    #expect(scene.question?.offers.count == 2)
    scene.answer(verdict, memory)
    #expect(scene.question?.space.authenticationMethod == .basic)
    scene.answer(verdict, memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aRefusalStreamsToTheOutputWithoutADelegate() {
    var scene = TaskScene()
    scene.askable = []
    scene.begin(memory)
    let challenges = [TaskScene.basic(), TaskScene.digest("n")].map { HeaderField("WWW-Authenticate", $0) }
    scene.head(401, challenges, memory)
    #expect(scene.fate == .deliver && scene.machine.phase == .receiving(.finish))
    scene.end(memory)
    #expect(scene.question == nil && scene.isDelivered)
  }

  @Test mutating func withoutADelegateTheNextOfferIsTriedAtTheHeadWithAStoredCredential() {
    memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene()
    scene.askable = []
    scene.begin(memory)
    let challenges = [TaskScene.digest("n"), TaskScene.basic()].map { HeaderField("WWW-Authenticate", $0) }
    scene.head(401, challenges, memory)
    #expect(scene.fate == .discard)
    scene.end(memory)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.head(401, challenges, memory)
    #expect(scene.fate == .deliver)
  }

  @Test mutating func offersThatNoDelegateTakesAreNotInTheQuestion() {
    var scene = TaskScene()
    scene.askable = [.basic]
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n"), TaskScene.basic(), with: memory)
    #expect(scene.question?.space.authenticationMethod == .basic)
    #expect(scene.question?.offers.count == 1)
  }

  @Test mutating func whatIsHeldIsDeliveredWhenWhoCouldBeAskedIsGone() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], memory)
    #expect(scene.fate == .hold)
    scene.askable = []
    scene.end(memory)
    #expect(scene.heldIsWhole == true && scene.isDelivered)
  }

  @Test mutating func aHeldRefusalThatRanOutOfTimeIsDeliveredAsCut() {
    for (error, isWhole) in [
      (TransportError.timedOut(.request), false),
      (.connectionLost(ConnectionLoss(isBeforeFirstByte: false)), nil),
    ] {
      var scene = TaskScene()
      scene.begin(memory)
      scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], memory)
      scene.endAlone(error, memory)
      #expect(scene.question != nil)
      scene.answer(.deliverRefusal, memory)
      #expect(scene.heldIsWhole == isWhole && scene.isDelivered == (isWhole != nil))
    }
  }

  @Test(arguments: [(63, "Basic am9lOng="), (64, nil)])
  mutating func theBoundOfOffersIsTheLastThatIsTried(_ realm: Int, _ sent: String?) {
    var scene = TaskScene()
    scene.askable = []
    scene.begin(memory)
    let realms = (0..<5000).map { TaskScene.basic("\($0)") }.joined(separator: ",")
    memory.store(TaskScene.password("x"), for: TaskScene.space("\(realm)"), owner: 1, now: 0)
    scene.head(401, [HeaderField("WWW-Authenticate", realms)], memory)
    scene.end(memory)
    #expect(scene.authorization == sent)
  }

  @Test mutating func cancelFailsTheTask() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.cancel, memory)
    #expect(scene.failure == .authentication(.userCancelled))
  }

  @Test mutating func anAuthorizationFieldOfTheCallersIsSentAsItIs() {
    memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene(headers: [HeaderField("authorization", "Custom 1")])
    scene.begin(memory)
    #expect(scene.sent?.authorization == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.isDelivered && memory.all.map(\.record.uses) == [0])
  }

  @Test mutating func aTaskSharesItsQuestionAtOriginsForWhichItsURLNamesNoUser() {
    let joe = RequestURL.Userinfo(user: "joe", password: nil)
    var scene = TaskScene(TaskScene.url(userinfo: joe))
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.isShared == false)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.redirect(to: "b.example", with: memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.isShared == true)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.redirect(to: "a.example", with: memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.isShared == false)
  }

  @Test mutating func userinfoServesItsOriginThroughRedirectsAndIsNeverCached() {
    let joe = RequestURL.Userinfo(user: "joe", password: TaskScene.secret("x"))
    memory.store(TaskScene.password("y", user: "ann"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene(TaskScene.url(userinfo: joe))
    scene.begin(memory)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.redirect(to: "b.example", with: memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.proposed == nil)
    #expect(memory.count == 1)
  }

  @Test mutating func aRedirectToAnotherOriginDropsTheCallersAuthorizationAndThenAsksThere() {
    var scene = TaskScene(headers: [HeaderField("Authorization", "Custom 1")])
    scene.begin(memory)
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.headers.isEmpty == true && scene.sent?.authorization == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.space.origin.host == "b.example")
  }
}
