import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A stored credential as tasks use it: what changes on the way, its limits, and who confirms a use.
struct StoredCredentialTests {
  private var memory = SessionMemory()

  @Test mutating func aRefusedCachedCredentialIsRemovedOnlyIfItIsStillTheOneTried() {
    memory.store(TaskScene.password("old"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    memory.store(TaskScene.password("new"), for: TaskScene.space(), owner: 1, now: 0)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(memory.count == 1 && scene.question == nil)
    #expect(scene.authorization == "Basic am9lOm5ldw==")
  }

  @Test mutating func afterARefusalAnotherUsersCredentialIsNotTriedUnasked() {
    memory.store(TaskScene.password("y", user: "ann"), for: TaskScene.space(), owner: 1, now: 0)
    memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    #expect(scene.authorization == "Basic am9lOng=")
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.proposed?.user == "joe")
    let next = TaskScene.asked(TaskScene.basic(), with: memory)
    #expect(next.question != nil)
  }

  @Test mutating func aCredentialRemovedOnTheWayIsAskedForAgain() {
    let key = memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], memory)
    memory.remove(key)
    scene.end(memory)
    #expect(scene.authorization == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question != nil)
  }

  @Test mutating func theMaximumOfUsesHoldsForTasksThatChoseItTogether() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    var scenes = [TaskScene(), TaskScene()]
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].head(401, [HeaderField("WWW-Authenticate", TaskScene.basic())], memory)
    }
    for index in scenes.indices { scenes[index].end(memory) }
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
    let memory = SessionMemory()
    func accept(_ realm: String, _ credential: Credential, at path: String) throws -> CredentialKey {
      let space = TaskScene.space(realm)
      let offer = Offer(authenticationMethod: .basic, realm: OctetString(realm), parameters: [])
      return memory.store(
        credential, for: space, authenticator: try Authenticator(offer: offer, credential: credential),
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), owner: 1, now: 0)
    }
    // The first use is that of the task whose reply was accepted.
    let deep = try accept("deep", TaskScene.password("x", limits: limits), at: "/d/x")
    _ = try accept("wide", TaskScene.password("y", user: "ann"), at: "/")
    var scene = TaskScene(TaskScene.url("/d/x/q"))
    scene.connects = false
    scene.begin(memory)
    switch meanwhile {
    case .nothing: break
    case .theLastUseIsTaken:
      var other = TaskScene(TaskScene.url("/d/x/q"))
      other.begin(memory)
      #expect(other.authorization == "Basic am9lOng=")
    case .itIsRemoved: memory.remove(deep)
    case .itIsReplaced: _ = try accept("deep", TaskScene.password("z"), at: "/d/x")
    case .aDeeperOneIsAccepted: _ = try accept("deepest", TaskScene.password("d", user: "ame"), at: "/d/x/y")
    case .thePathHasAskedForAnotherRealm:
      let generation = try #require(memory.entry(deep)?.generation)
      memory.left(deep, generation: generation, path: "/d/x/q")
    }
    scene.connect(memory)
    #expect(scene.authorization == "Basic \(value)")
  }

  @Test mutating func basicOverCleartextUsesNoStoredCredentialButAnExplicitReply() {
    let url = TaskScene.url(scheme: .http)
    let space = ProtectionSpace(origin: url.origin, realm: "r", authenticationMethod: .basic)
    memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    var scene = TaskScene(url)
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.proposed?.user == "joe")
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
    var warm = TaskScene(url)
    warm.begin(memory)
    #expect(warm.authorization != nil)
  }

  @Test mutating func onlyAReplyConfirmsTheUseOfACredentialThatWantsIt() {
    var limits = CredentialLimits()
    limits.confirm = true
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    var unanswered = TaskScene.asked(TaskScene.basic(), with: memory)
    #expect(unanswered.question?.proposed?.user == "joe")
    unanswered.answer(.nextOffer(confirms: false), memory)
    #expect(unanswered.isDelivered)
    var confirmed = TaskScene.asked(TaskScene.basic(), with: memory)
    confirmed.answer(.nextOffer(confirms: true), memory)
    #expect(confirmed.authorization == "Basic am9lOng=")
    var owners = TaskScene()
    owners.process = 7
    owners.begin(memory)
    owners.refuse(TaskScene.basic(), with: memory)
    #expect(owners.authorization == "Basic am9lOng=")
  }

  @Test mutating func whereNobodyCanConfirmATaskIsAskedForACredentialOfItsOwn() {
    var limits = CredentialLimits()
    limits.confirm = true
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 7, now: 0)
    for (verdict, sent) in [
      (.nextOffer(confirms: true), nil), (.tryCredential(TaskScene.password("y")), "Basic am9lOnk="),
    ] as [(ChallengeVerdict, String?)] {
      var scene = TaskScene()
      scene.confirmers = false
      scene.begin(memory)
      scene.refuse(TaskScene.basic(), with: memory)
      #expect(scene.question != nil && scene.question?.confirmation == nil)
      scene.answer(verdict, memory)
      #expect(scene.authorization == sent)
    }
  }
}
