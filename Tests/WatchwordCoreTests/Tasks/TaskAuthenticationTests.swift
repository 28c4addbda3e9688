import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// The rules of challenges.md 5 and 7, as one task meets them.
struct TaskAuthenticationTests {
  private var cache = CredentialCache()

  @Test mutating func anAcceptedTrialIsReportedAndUsedUnaskedFromThenOn() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.space == TaskScene.space())
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.succeed(cache: &cache)
    #expect(scene.isDelivered)
    #expect(cache.all.map(\.record.uses) == [1])
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization == "Basic am9lOng=")
  }

  @Test mutating func aRefusedTrialAsksAgainWithOneFailureMoreAndTheRefusedUser() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.previousFailureCount == 1)
    #expect(scene.question?.proposed?.user == "joe")
    #expect(scene.question?.refused == [TaskScene.password("x").kind])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
  }

  @Test mutating func anExchangeThatWasRefusedStillSaysWhatItCarried() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.machine.authentication.methodInUse == .basic)
  }

  @Test mutating func aCredentialThatWasRefusedIsNotSentAgainAndThe401IsDelivered() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.sent == nil && scene.isDelivered)
  }

  /// Many servers name no challenge to a token that has ended, and proxies none to a password.
  @Test(arguments: [AuthenticationMethod.basic, .bearer])
  mutating func aRefusalWithoutAChallengeRefusesWhatWasSentUnasked(_ method: AuthenticationMethod) {
    let scheme = method == .basic ? "Basic" : "Bearer"
    let first =
      method == .basic
      ? TaskScene.password("x") : Credential(.token(TaskScene.secret("x")), persistence: .forSession)
    var scene = TaskScene.asked("\(scheme) realm=\"r\"", cache: &cache)
    scene.answer(.tryCredential(first), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization?.hasPrefix(scheme) == true)
    warm.refuse(cache: &cache)
    #expect(warm.question?.space == TaskScene.space("r", method) && warm.question?.previousFailureCount == 1)
    #expect(cache.count == 0)
    var next = TaskScene()
    next.begin(&cache)
    #expect(next.authorization == nil)
  }

  /// A nonce is needed: the next request gets one.
  @Test mutating func aDigestRefusedWithoutAChallengeIsNotSentAgain() {
    var scene = TaskScene.asked(TaskScene.digest("n1"), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization != nil)
    warm.refuse(cache: &cache)
    #expect(warm.isDelivered && cache.count == 0)
  }

  @Test mutating func aChallengeThatCannotBeAnsweredIsNoRefusal() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    warm.refuse("Hawk", cache: &cache)
    #expect(warm.isDelivered && cache.count == 1)
  }

  @Test mutating func theBudgetEndsTheLoop() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    for round in 1...5 {
      #expect(scene.question != nil)
      scene.answer(.tryCredential(TaskScene.password("\(round)")), &cache)
      scene.refuse(TaskScene.basic(), cache: &cache)
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
    scene.begin(&cache)
    scene.head(401, Self.realms(60), &cache)
    scene.end(&cache)
    var questions = 0
    while scene.question != nil {
      questions += 1
      scene.answer(verdict, &cache)
    }
    #expect(questions == AuthenticationStateMachine.questionLimit)
    #expect(scene.isDelivered)
  }

  /// Each response names other realms, so that none of them refuses twice.
  @Test mutating func questionsCountAsRefusals() {
    var scene = TaskScene()
    scene.begin(&cache)
    var questions = 0
    for round in 0..<100 where !scene.isDelivered {
      scene.head(401, Self.realms(60, of: round), &cache)
      scene.end(&cache)
      for number in 1...AuthenticationStateMachine.questionLimit where scene.question != nil {
        questions += 1
        let isLast = number == AuthenticationStateMachine.questionLimit
        scene.answer(isLast ? .tryCredential(TaskScene.password("x")) : .excludeOffer, &cache)
      }
    }
    #expect(questions == 64)
  }

  @Test(arguments: [ChallengeVerdict.excludeOffer, .nextOffer(confirms: false), .nextOffer(confirms: true)])
  mutating func rejectionAndDefaultHandlingMoveOnToTheNextOffer(_ verdict: ChallengeVerdict) {
    var scene = TaskScene.asked(TaskScene.basic(), TaskScene.digest("n"), cache: &cache)
    #expect(scene.question?.space.authenticationMethod == .digest)
    #expect(scene.question?.offers.count == 2)
    scene.answer(verdict, &cache)
    #expect(scene.question?.space.authenticationMethod == .basic)
    scene.answer(verdict, &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aRefusalStreamsToTheOutputWithoutADelegate() {
    var scene = TaskScene()
    scene.askable = []
    scene.begin(&cache)
    let challenges = [TaskScene.basic(), TaskScene.digest("n")].map { HeaderField("WWW-Authenticate", $0) }
    scene.head(401, challenges, &cache)
    #expect(scene.fate == .deliver && scene.machine.phase == .receiving(.finish))
    scene.end(&cache)
    #expect(scene.question == nil && scene.isDelivered)
  }

  @Test mutating func withoutADelegateTheNextOfferIsTriedAtTheHeadWithAStoredCredential() {
    cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene()
    scene.askable = []
    scene.begin(&cache)
    let challenges = [TaskScene.digest("n"), TaskScene.basic()].map { HeaderField("WWW-Authenticate", $0) }
    scene.head(401, challenges, &cache)
    #expect(scene.fate == .discard)
    scene.end(&cache)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.head(401, challenges, &cache)
    #expect(scene.fate == .deliver)
  }

  @Test mutating func offersThatNoDelegateTakesAreNotInTheQuestion() {
    var scene = TaskScene()
    scene.askable = [.basic]
    scene.begin(&cache)
    scene.refuse(TaskScene.digest("n"), TaskScene.basic(), cache: &cache)
    #expect(scene.question?.space.authenticationMethod == .basic)
    #expect(scene.question?.offers.count == 1)
  }

  @Test mutating func whatIsHeldIsDeliveredWhenWhoCouldBeAskedIsGone() {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    #expect(scene.fate == .hold)
    scene.askable = []
    scene.end(&cache)
    #expect(scene.heldIsWhole == true && scene.isDelivered)
  }

  @Test mutating func aHeldRefusalThatRanOutOfTimeIsDeliveredAsCut() {
    for (error, isWhole) in [
      (TransportError.timedOut(.request), false),
      (.connectionLost(ConnectionLoss(isBeforeFirstByte: false)), nil),
    ] {
      var scene = TaskScene()
      scene.begin(&cache)
      scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
      scene.endAlone(error, &cache)
      #expect(scene.question != nil)
      scene.answer(.deliverRefusal, &cache)
      #expect(scene.heldIsWhole == isWhole && scene.isDelivered == (isWhole != nil))
    }
  }

  @Test(arguments: [(63, "Basic am9lOng="), (64, nil)])
  mutating func theBoundOfOffersIsTheLastThatIsTried(_ realm: Int, _ sent: String?) {
    var scene = TaskScene()
    scene.askable = []
    scene.begin(&cache)
    let realms = (0..<5000).map { TaskScene.basic("\($0)") }.joined(separator: ",")
    cache.store(TaskScene.password("x"), for: TaskScene.space("\(realm)"), owner: 1, now: 0)
    scene.head(401, [HeaderField("WWW-Authenticate", realms)], &cache)
    scene.end(&cache)
    #expect(scene.authorization == sent)
  }

  @Test mutating func cancelFailsTheTask() {
    var scene = TaskScene.asked(TaskScene.basic(), cache: &cache)
    scene.answer(.cancel, &cache)
    #expect(scene.failure == .authentication(.userCancelled))
  }

  @Test mutating func anAuthorizationFieldOfTheCallersIsSentAsItIs() {
    cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene(headers: [HeaderField("authorization", "Custom 1")])
    scene.begin(&cache)
    #expect(scene.sent?.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.isDelivered && cache.all.map(\.record.uses) == [0])
  }

  @Test mutating func aTaskSharesItsQuestionAtOriginsForWhichItsURLNamesNoUser() {
    let joe = RequestURL.Userinfo(user: "joe", password: nil)
    var scene = TaskScene(TaskScene.url(userinfo: joe))
    scene.begin(&cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.isShared == false)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.redirect(to: "b.example", cache: &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.isShared == true)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.redirect(to: "a.example", cache: &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.isShared == false)
  }

  @Test mutating func userinfoServesItsOriginThroughRedirectsAndIsNeverCached() {
    let joe = RequestURL.Userinfo(user: "joe", password: TaskScene.secret("x"))
    cache.store(TaskScene.password("y", user: "ann"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene(TaskScene.url(userinfo: joe))
    scene.begin(&cache)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.redirect(to: "a.example", cache: &cache)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.redirect(to: "b.example", cache: &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.proposed == nil)
    #expect(cache.count == 1)
  }

  @Test mutating func aRedirectToAnotherOriginDropsTheCallersAuthorizationAndThenAsksThere() {
    var scene = TaskScene(headers: [HeaderField("Authorization", "Custom 1")])
    scene.begin(&cache)
    scene.redirect(to: "b.example", cache: &cache)
    #expect(scene.sent?.headers.isEmpty == true && scene.sent?.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.space.origin.host == "b.example")
  }
}
