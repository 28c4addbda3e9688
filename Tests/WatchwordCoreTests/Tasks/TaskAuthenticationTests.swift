import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// The rules of challenges.md 5 and 7, as one task meets them.
struct TaskAuthenticationTests {
  private var cache = CredentialCache()

  /// A task that has been asked about a Basic space.
  private mutating func asked(_ challenges: String...) -> TaskScene {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.head(401, challenges.map { HeaderField("WWW-Authenticate", $0) }, &cache)
    scene.end(&cache)
    return scene
  }

  @Test mutating func anAcceptedTrialIsReportedAndUsedUnaskedFromThenOn() {
    var scene = asked(TaskScene.basic())
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
    var scene = asked(TaskScene.basic())
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.previousFailureCount == 1)
    #expect(scene.question?.proposed?.user == "joe")
    #expect(scene.question?.refused == [TaskScene.password("x").kind])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
  }

  @Test mutating func anExchangeThatWasRefusedStillSaysWhatItCarried() {
    var scene = asked(TaskScene.basic())
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.machine.methodInUse == .basic)
  }

  @Test mutating func aCredentialThatWasRefusedIsNotSentAgainAndThe401IsDelivered() {
    var scene = asked(TaskScene.basic())
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
    var scene = asked("\(scheme) realm=\"r\"")
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
    var scene = asked(TaskScene.digest("n1"))
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization != nil)
    warm.refuse(cache: &cache)
    #expect(warm.isDelivered && cache.count == 0)
  }

  @Test mutating func aChallengeThatCannotBeAnsweredIsNoRefusal() {
    var scene = asked(TaskScene.basic())
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    warm.refuse("Hawk", cache: &cache)
    #expect(warm.isDelivered && cache.count == 1)
  }

  @Test mutating func theBudgetEndsTheLoop() {
    var scene = asked(TaskScene.basic())
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
    var scene = asked(TaskScene.basic(), TaskScene.digest("n"))
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
    var scene = asked(TaskScene.basic())
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

  @Test mutating func aChangedRealmIsANewSpaceAndTheReplyIsRefusedInItsOwn() {
    var scene = asked(TaskScene.basic("one"))
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(scene.question?.space.realm == "two" && scene.question?.previousFailureCount == 0)
    #expect(scene.question?.refused == [])
    if case .refused? = scene.report {} else { Issue.record("the refusal of a trial is reported") }
    scene.answer(.nextOffer(confirms: false), &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aStoredCredentialIsRefusedInItsOwnSpaceUnlessItWasSentPreemptively() {
    cache.store(TaskScene.password("x"), for: TaskScene.space("one"), owner: 1, now: 0)
    var scene = asked(TaskScene.basic("one"))
    scene.succeed(cache: &cache)
    var warm = TaskScene()
    warm.begin(&cache)
    #expect(warm.authorization != nil)
    warm.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(warm.question?.space.realm == "two" && cache.count == 1)
    var cold = TaskScene(TaskScene.url("/elsewhere"))
    cold.begin(&cache)
    cold.refuse(TaskScene.basic("one"), cache: &cache)
    #expect(cold.authorization != nil)
    cold.refuse(TaskScene.basic("two"), cache: &cache)
    #expect(cold.question?.space.realm == "two" && cache.count == 0)
  }

  @Test(arguments: [true, false])
  mutating func aCredentialForAnyRealmIsTriedAndBoundOrGone(_ isAccepted: Bool) {
    cache.store(TaskScene.password("x"), for: TaskScene.space().ofAnyRealm, owner: 1, now: 0)
    var scene = asked(TaskScene.basic("r"))
    #expect(scene.authorization == "Basic am9lOng=")
    if isAccepted {
      scene.succeed(cache: &cache)
      #expect(cache.all.map(\.space) == [TaskScene.space("r")])
      var warm = TaskScene()
      warm.begin(&cache)
      #expect(warm.authorization == "Basic am9lOng=")
    } else {
      scene.refuse(TaskScene.basic("r"), cache: &cache)
      #expect(scene.question?.previousFailureCount == 1 && cache.count == 0)
    }
  }

  @Test mutating func aStaleNonceOfACredentialForAnyRealmIsNoRefusal() {
    cache.store(TaskScene.password("x"), for: TaskScene.space("r", .digest).ofAnyRealm, owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(&cache)
      scenes[index].refuse(TaskScene.digest("n0"), cache: &cache)
      #expect(scenes[index].digestField("nonce") == "n0")
    }
    scenes[0].succeed(cache: &cache)
    scenes[1].refuse(TaskScene.digest("n1", stale: true), cache: &cache)
    #expect(scenes[1].digestField("nonce") == "n1" && scenes[1].question == nil)
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

  @Test mutating func twoRealmsThatPointToEachOtherAreNotWalkedForEver() {
    for realm in ["one", "two"] {
      cache.store(TaskScene.password(realm), for: TaskScene.space(realm), owner: 1, now: 0)
    }
    var scene = asked(TaskScene.basic("one"))
    var exchanges = 0
    while scene.question == nil, scene.failure == nil, exchanges < 50 {
      exchanges += 1
      scene.refuse(TaskScene.basic(exchanges % 2 == 0 ? "one" : "two"), cache: &cache)
      if scene.isDelivered { break }
    }
    #expect(exchanges < 10)
  }

  @Test mutating func aNewRealmEveryTimeEndsInTheEnd() {
    var scene = asked(TaskScene.basic("0"))
    var answers = 0
    while scene.question != nil, answers < 1000 {
      answers += 1
      scene.answer(.tryCredential(TaskScene.password("x")), &cache)
      scene.refuse(TaskScene.basic("\(answers)"), cache: &cache)
    }
    #expect(answers == AuthenticationStateMachine.roundLimit && scene.isDelivered)
  }

  @Test mutating func aRefusedCachedCredentialIsRemovedOnlyIfItIsStillTheOneTried() {
    cache.store(TaskScene.password("old"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = asked(TaskScene.basic())
    cache.store(TaskScene.password("new"), for: TaskScene.space(), owner: 1, now: 0)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(cache.count == 1 && scene.question == nil)
    #expect(scene.authorization == "Basic am9lOm5ldw==")
  }

  @Test mutating func afterARefusalAnotherUsersCredentialIsNotTriedUnasked() {
    cache.store(TaskScene.password("y", user: "ann"), for: TaskScene.space(), owner: 1, now: 0)
    cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = asked(TaskScene.basic())
    #expect(scene.authorization == "Basic am9lOng=")
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.proposed?.user == "joe")
    let next = asked(TaskScene.basic())
    #expect(next.question != nil)
  }

  @Test mutating func aCredentialRemovedOnTheWayIsAskedForAgain() {
    let key = cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(&cache)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    cache.remove(key)
    scene.end(&cache)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question != nil)
  }

  @Test mutating func theMaximumOfUsesHoldsForTasksThatChoseItTogether() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(&cache)
      scenes[index].head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], &cache)
    }
    for index in scenes.indices { scenes[index].end(&cache) }
    #expect(scenes.compactMap(\.authorization).count == 1)
  }

  /// What changes while a request waits for its connection.
  enum Meanwhile: CaseIterable {
    case nothing
    case theLastUseIsTaken
    case itIsRemoved
    case itIsReplaced
    case aDeeperOneIsAccepted
    case thePathHasAskedForAnotherRealm
  }

  @Test(
    arguments: zip(
      Meanwhile.allCases, ["am9lOng=", "YW5uOnk=", "YW5uOnk=", "am9lOno=", "YW1lOmQ=", "YW5uOnk="]))
  func aWaitingRequestGetsWhatHoldsWhenItHasItsConnection(_ meanwhile: Meanwhile, _ value: String) throws {
    var limits = CredentialLimits()
    limits.maximumUses = 2
    var cache = CredentialCache()
    func accept(_ realm: String, _ credential: Credential, at path: String) throws -> CredentialCache.Key {
      let space = TaskScene.space(realm)
      let offer = Offer(authenticationMethod: .basic, realm: OctetString(realm), parameters: [])
      return cache.store(
        credential, for: space, authenticator: try Authenticator(offer: offer, credential: credential),
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), owner: 1, now: 0)
    }
    // The first use is that of the task whose reply was accepted.
    let deep = try accept("deep", TaskScene.password("x", limits: limits), at: "/d/x")
    _ = try accept("wide", TaskScene.password("y", user: "ann"), at: "/")
    var scene = TaskScene(TaskScene.url("/d/x/q"))
    scene.connects = false
    scene.begin(&cache)
    switch meanwhile {
    case .nothing: break
    case .theLastUseIsTaken:
      var other = TaskScene(TaskScene.url("/d/x/q"))
      other.begin(&cache)
      #expect(other.authorization == "Basic am9lOng=")
    case .itIsRemoved: cache.remove(deep)
    case .itIsReplaced: _ = try accept("deep", TaskScene.password("z"), at: "/d/x")
    case .aDeeperOneIsAccepted: _ = try accept("deepest", TaskScene.password("d", user: "ame"), at: "/d/x/y")
    case .thePathHasAskedForAnotherRealm:
      let generation = try #require(cache.entry(deep)?.generation)
      cache.left(deep, generation: generation, path: "/d/x/q")
    }
    scene.connect(&cache)
    #expect(scene.authorization == "Basic \(value)")
  }

  @Test mutating func basicOverCleartextUsesNoStoredCredentialButAnExplicitReply() {
    let url = TaskScene.url(scheme: .http)
    let space = ProtectionSpace(origin: url.origin, realm: "r", authenticationMethod: .basic)
    cache.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    var scene = TaskScene(url)
    scene.begin(&cache)
    scene.refuse(TaskScene.basic(), cache: &cache)
    #expect(scene.question?.proposed?.user == "joe")
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
    var warm = TaskScene(url)
    warm.begin(&cache)
    #expect(warm.authorization != nil)
  }

  @Test mutating func onlyAReplyConfirmsTheUseOfACredentialThatWantsIt() {
    var limits = CredentialLimits()
    limits.confirm = true
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    var unanswered = asked(TaskScene.basic())
    #expect(unanswered.question?.proposed?.user == "joe")
    unanswered.answer(.nextOffer(confirms: false), &cache)
    #expect(unanswered.isDelivered)
    var confirmed = asked(TaskScene.basic())
    confirmed.answer(.nextOffer(confirms: true), &cache)
    #expect(confirmed.authorization == "Basic am9lOng=")
    var owners = TaskScene()
    owners.process = 7
    owners.begin(&cache)
    owners.refuse(TaskScene.basic(), cache: &cache)
    #expect(owners.authorization == "Basic am9lOng=")
  }

  @Test mutating func whereNobodyCanConfirmATaskIsAskedForACredentialOfItsOwn() {
    var limits = CredentialLimits()
    limits.confirm = true
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    for (verdict, sent) in [
      (.nextOffer(confirms: true), nil), (.tryCredential(TaskScene.password("y")), "Basic am9lOnk="),
    ] as [(ChallengeVerdict, String?)] {
      var scene = TaskScene()
      scene.confirmers = false
      scene.begin(&cache)
      scene.refuse(TaskScene.basic(), cache: &cache)
      #expect(scene.question != nil && scene.question?.confirmation == nil)
      scene.answer(verdict, &cache)
      #expect(scene.authorization == sent)
    }
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
