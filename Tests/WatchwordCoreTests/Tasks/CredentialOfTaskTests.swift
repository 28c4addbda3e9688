import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Which credential a task sends next, and what a response says of it (challenges.md 7, storage.md 9.2.1).
struct CredentialOfTaskTests {
  private static let ann = TaskScene.password("y", user: "ann")
  private static let annsField = "Basic YW5uOnk="
  private static let joesField = "Basic am9lOng="

  private var memory = SessionMemory()

  // MARK: What the session has

  /// After a refusal only a credential that was stored since (challenges.md 7.9).
  @Test mutating func whatTheSessionHadBeforeARefusalIsNotTriedAfterIt() {
    for isStoredAfter in [false, true] {
      memory = SessionMemory()
      var scene = TaskScene.asked(TaskScene.basic(), with: memory)
      if !isStoredAfter { memory.store(Self.ann, for: TaskScene.space(), owner: 1, now: 0) }
      scene.answer(.useCredential(TaskScene.password("x")), memory)
      #expect(scene.authorization == Self.joesField)
      if isStoredAfter { memory.store(Self.ann, for: TaskScene.space(), owner: 1, now: 0) }
      scene.refuse(TaskScene.basic(), with: memory)
      #expect((scene.authorization == Self.annsField) == isStoredAfter)
      #expect((scene.question == nil) == isStoredAfter)
    }
  }

  @Test mutating func onlyTheDefaultUserIsProposed() {
    memory.store(Self.ann, for: TaskScene.space(), isDefault: false, owner: 1, now: 0)
    let scene = TaskScene.asked(TaskScene.basic(), with: memory)
    #expect(scene.question != nil && scene.question?.proposed == nil)
  }

  /// A refused credential is never sent again in the task (challenges.md 7.5), whoever has stored it since.
  @Test mutating func aCredentialThatWasRefusedIsNotSentUnaskedEither() {
    func warm() {
      var scene = TaskScene.asked(TaskScene.basic(), with: memory)
      scene.answer(.tryCredential(TaskScene.password("x")), memory)
      scene.succeed(with: memory)
    }
    warm()
    var scene = TaskScene()
    scene.number = 2
    scene.begin(memory)
    #expect(scene.authorization == Self.joesField)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(Self.ann), memory)
    warm()
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.isExchanging && scene.authorization == nil)
    var other = TaskScene(TaskScene.url("/d/y"))
    other.begin(memory)
    #expect(other.authorization == Self.joesField)
  }

  @Test mutating func aSpaceThatIsExcludedGetsNothingUnasked() {
    var scene = TaskScene.asked(TaskScene.basic(), TaskScene.basic("s"), with: memory)
    scene.answer(.excludeOffer, memory)
    #expect(scene.question?.space == TaskScene.space("s"))
    scene.answer(.useCredential(Self.ann), memory)
    var other = TaskScene.asked(TaskScene.basic(), with: memory)
    other.answer(.tryCredential(TaskScene.password("x")), memory)
    other.succeed(with: memory)
    // The path of the redirect is in the scope of what the other task was accepted with.
    memory.accepted(
      CredentialKey(space: TaskScene.space(), user: "joe"),
      generation: memory.all.first?.generation ?? 0,
      scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url("/")))
    scene.redirect(to: "a.example", with: memory)
    #expect(scene.isExchanging && scene.authorization == nil)
  }

  /// Of a credential whose use has to be confirmed.
  @Test(arguments: [2, nil] as [ProcessIdentifier?]) mutating func onlyKnownProcessesShareAConfirmation(
    _ process: ProcessIdentifier?
  ) {
    var limits = CredentialLimits()
    limits.confirm = true
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    var scene = TaskScene()
    scene.process = process
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.confirmation != nil)
    #expect(scene.question?.isShared == (process != nil))
  }

  /// Default handling does not use a record whose use has to be confirmed (storage.md 9.5.3).
  @Test mutating func aRecordOfTheAccountIsUsedOnlyAsItsLimitsAllow() throws {
    for isConfirmed in [true, false] {
      memory = SessionMemory()
      var limits = CredentialLimits()
      limits.confirm = isConfirmed
      let change = PermanentCredentials.Change.store(
        TaskScene.password("x", .permanent, limits: limits), for: [TaskScene.space()], isDefault: true,
        over: [])
      _ = memory.permanent.apply(try memory.permanent.plan(change, now: 0))
      var scene = TaskScene()
      scene.askable = []
      scene.begin(memory)
      scene.refuse(TaskScene.basic(), with: memory)
      #expect((scene.authorization == Self.joesField) == !isConfirmed)
      #expect(scene.isDelivered == isConfirmed)
      scene = TaskScene()
      scene.confirmers = false
      scene.begin(memory)
      scene.refuse(TaskScene.basic(), with: memory)
      #expect(scene.question?.proposed?.user == (isConfirmed ? nil : "joe"))
      scene = TaskScene.asked(TaskScene.basic(), with: memory)
      #expect(scene.question?.proposed?.user == "joe")
      scene.answer(.nextOffer(confirms: true), memory)
      #expect(scene.authorization == Self.joesField)
    }
  }

  @Test mutating func anOfferThatWasLeftIsNotAskedAboutWhenADelegateComes() {
    var scene = TaskScene()
    scene.askable = [.basic]
    scene.begin(memory)
    scene.head(
      401, [TaskScene.digest("n"), TaskScene.basic()].map { HeaderField("WWW-Authenticate", $0) }, memory)
    scene.askable = [.basic, .digest]
    scene.end(memory)
    #expect(scene.question?.space.authenticationMethod == .basic)
  }

  /// Outside of its scope an accepted credential answers for all tasks at once: there is nothing to find out.
  @Test(arguments: ["http/1.1", "h2"]) mutating func anAcceptedCredentialIsNotTriedByOneTaskAlone(
    _ networkProtocol: String
  ) {
    var first = TaskScene.asked(TaskScene.basic(), with: memory)
    first.networkProtocol = networkProtocol
    first.answer(.tryCredential(TaskScene.password("x")), memory)
    first.succeed(with: memory)
    #expect(memory.trials.hasMultiplexed == (networkProtocol == "h2"))
    var scenes = (1...2).map { number in
      var scene = TaskScene(TaskScene.url("/e"))
      scene.number = UInt64(number)
      scene.now = 3600
      return scene
    }
    for index in scenes.indices { scenes[index].begin(memory) }
    for index in scenes.indices { scenes[index].refuse(TaskScene.basic(), with: memory) }
    #expect(scenes[0].authorization == Self.joesField)
    #expect((scenes[1].authorization == nil) == (networkProtocol == "h2"))
  }

  // MARK: The task's own

  @Test mutating func aCredentialForOneUseIsNotSentWithASecondRequest() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: limits)), memory)
    #expect(scene.authorization == Self.joesField)
    scene.redirect(to: "a.example", with: memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.authorization == nil && scene.question?.previousFailureCount == 0)
  }

  /// The server has not seen the first one.
  @Test mutating func aCredentialForOneUseIsSentOnceMoreAfterALostConnection() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: limits)), memory)
    scene.endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)), memory)
    #expect(scene.authorization == Self.joesField)
  }

  @Test mutating func anAcceptanceIsToldOnce() {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x", .none)), memory)
    scene.head(302, [HeaderField("Location", "a.example")], memory)
    if case .accepted? = scene.report {} else { Issue.record("the first acceptance is told") }
    scene.end(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.authorization == Self.joesField)
    scene.head(200, [], memory)
    #expect(scene.report == nil)
  }

  @Test(arguments: [(499, "accepted"), (500, "inconclusive")])
  mutating func anErrorOfTheServersOwnSaysNothingOfACredential(_ status: Int, _ report: String) {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.head(status, [], memory)
    #expect(scene.report.map { "\($0)".prefix { $0 != "(" } } ?? "-" == report)
    let verdicts = memory.verdicts.map(\.outcome)
    #expect(verdicts == (status < 500 ? [.accepted] : []))
  }

  /// A body that has to be hashed and cannot be: another offer is answered.
  @Test mutating func anOfferThatNeedsAnUnreadableBodyIsExcluded() {
    var scene = TaskScene(method: "POST", body: .replayable)
    scene.body = .unknown
    scene.begin(memory)
    scene.refuse(TaskScene.integrityDigest, TaskScene.basic(), with: memory)
    #expect(scene.question?.space.authenticationMethod == .digest)
    scene.answer(.useCredential(TaskScene.password("x")), memory)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.integrityDigest, TaskScene.basic(), with: memory)
    #expect(scene.question?.space.authenticationMethod == .basic)
  }

  @Test mutating func aRefusedLineOfNetrcIsNotTriedByLaterTasks() throws {
    memory.netrc = NetrcStore(try Netrc(text: TaskScene.secret("machine a.example login joe password x")))
    var first = TaskScene()
    first.askable = []
    first.begin(memory)
    first.refuse(TaskScene.basic(), with: memory)
    #expect(first.authorization == Self.joesField)
    first.refuse(TaskScene.basic(), with: memory)
    #expect(first.isDelivered)
    #expect(memory.netrc.credential(for: TaskScene.space(), user: nil) == nil)
  }

  /// Whom `domain` names (RFC 7616 §3.3); of a proxy it is ignored (methods.md 15.6).
  @Test(arguments: ["/d/y", "/e"]) mutating func aDigestCredentialIsSentAheadWhereItsDomainSays(
    _ path: String
  ) {
    var scene = TaskScene.asked(TaskScene.digest("n") + ", domain=\"/d\"", with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
    var later = TaskScene(TaskScene.url(path))
    later.begin(memory)
    #expect((later.authorization != nil) == (path == "/d/y"))
  }

  // MARK: Proofs of the body

  /// Tasks that wait for one of them learn at the head that its credential is accepted, unless the server has failed.
  @Test(arguments: [(200, 2), (499, 2), (500, 1)])
  mutating func aHeadWhoseProofComesLaterEndsTheTrial(_ status: Int, _ granted: Int) throws {
    let change = PermanentCredentials.Change.store(
      TaskScene.password("x", .permanent), for: [TaskScene.space("r", .digest)], isDefault: true, over: [])
    _ = memory.permanent.apply(try memory.permanent.plan(change, now: 0))
    var scenes = (1...3).map { number in
      var scene = TaskScene()
      scene.number = UInt64(number)
      scene.askable = []
      return scene
    }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].refuse(TaskScene.integrityDigest, with: memory)
    }
    #expect(scenes.map { $0.authorization != nil } == [true, false, false])
    let proof = "qop=auth-int, rspauth=\"\(String(repeating: "0", count: 64))\", cnonce=\"c\", nc=00000001"
    scenes[0].head(status, [HeaderField("Authentication-Info", proof)], memory)
    #expect(scenes[0].machine.responseHash != nil)
    #expect(memory.trials.takeGranted().count == granted)
    scenes[0].endAlone(nil, memory)
    #expect(scenes[0].failure == .authentication(.serverNotAuthenticated))
    #expect(scenes[0].machine.responseHash == nil)
  }
}
