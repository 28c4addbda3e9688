import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Nonces that many tasks share.
struct SharedNonceTests {
  private var memory = SessionMemory()

  /// A session whose Digest credential has been accepted with nonce `n0`.
  private init() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n0"), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
  }

  private mutating func warm(_ count: Int) -> [TaskScene] {
    var scenes = (0..<count).map { _ in TaskScene() }
    for index in scenes.indices {
      scenes[index].number = UInt64(index + 1)
      scenes[index].begin(memory)
    }
    return scenes
  }

  @Test mutating func concurrentTasksUseOneNonceWithRisingCounts() {
    let scenes = warm(64)
    #expect(Set(scenes.compactMap { $0.digestField("nc") }).count == 64)
    #expect(Set(scenes.compactMap { $0.digestField("nonce") }) == ["n0"])
  }

  /// A nonce may belong to the connection on which it came: the answer to a 401 has the nonce of that 401.
  @Test mutating func anAnswerHasTheNonceOfItsChallengeAndTheNextTaskThatOfTheLastOne() {
    var scenes = warm(64)
    for index in scenes.indices {
      scenes[index].refuse(TaskScene.digest("n1-\(index)", stale: true), with: memory)
      #expect(scenes[index].digestField("nonce") == "n1-\(index)")
      #expect(scenes[index].digestField("nc") == "00000001")
    }
    var next = TaskScene()
    next.number = 65
    next.begin(memory)
    #expect(next.digestField("nonce") == "n1-63" && next.digestField("nc") == "00000002")
    #expect(scenes.allSatisfy { $0.question == nil })
  }

  /// Whoever uses it: a stored credential, one for the task only, and after `session/reset`.
  @Test mutating func aNonceThatIsGivenAgainContinuesItsCount() {
    var counts: [String?] = []
    for persistence in [Persistence.none, .forSession, .none] {
      memory.removeAll()
      var scene = TaskScene()
      scene.begin(memory)
      scene.refuse(TaskScene.digest("n0"), with: memory)
      scene.answer(.tryCredential(TaskScene.password("y", persistence)), memory)
      counts.append(scene.digestField("nc"))
      scene.succeed(with: memory)
    }
    #expect(counts == ["00000002", "00000003", "00000004"])
  }

  @Test mutating func nonceCountsAreBounded() {
    var counts = NonceCounts()
    let space = TaskScene.space("r", .digest)
    func ticket(_ number: Int) -> DigestTicket {
      DigestTicket(
        nonce: OctetString("\(number)"), nonceCount: 7, clientNonce: "c", target: "/", quality: .auth,
        algorithm: .md5, passwordHash: TaskScene.secret("x"))
    }
    for number in 0...NonceCounts.capacity { counts.note(ticket(number), at: space) }
    #expect(counts.count(of: "0", at: space) == 0 && counts.count(of: "1", at: space) == 7)
  }

  @Test mutating func aServerThatTakesEachNonceOnceServesConcurrentTasksAll() {
    var scenes = warm(16)
    for index in scenes.indices {
      scenes[index].refuse(TaskScene.digest("a\(index)", stale: true), with: memory)
    }
    for index in scenes.indices.dropFirst() {
      scenes[index].refuse(TaskScene.digest("b\(index)", stale: true), with: memory)
      #expect(scenes[index].digestField("nonce") == "b\(index)")
      #expect(scenes[index].digestField("nc") == "00000001")
    }
  }

  @Test mutating func aPlainRefusalOfAFirstUseIsARefusal() {
    var scene = TaskScene()
    let empty = SessionMemory()
    scene.begin(empty)
    scene.refuse(TaskScene.digest("n"), with: empty)
    scene.answer(.tryCredential(TaskScene.password("x")), empty)
    scene.refuse(TaskScene.digest("m"), with: empty)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test mutating func aServerThatNeverTakesItsOwnNonceIsMetABoundedNumberOfTimes() {
    var scene = warm(1)[0]
    var exchanges = 0
    while scene.question == nil, exchanges < 100 {
      exchanges += 1
      scene.refuse(TaskScene.digest("s\(exchanges)", stale: true), with: memory)
    }
    #expect(exchanges == AuthenticationStateMachine.staleLimit + 1)
  }

  /// A session whose accepted nonce `n0` has one count left.
  private func nearlyExhausted() throws -> SessionMemory {
    let memory = SessionMemory()
    let offer = try #require(
      OfferSelection.offers(in: [TaskScene.digest("n0")], policy: MethodPolicy()).first?.digest)
    let digest = try #require(
      DigestAuthenticator(challenge: offer, user: "joe", password: TaskScene.secret("x"), uses: .max - 1))
    memory.store(
      TaskScene.password("x"), for: TaskScene.space("r", .digest), authenticator: .digest(digest),
      scope: PreemptiveScope(method: .digest, acceptedAt: TaskScene.url()), owner: 1, now: 0)
    return memory
  }

  @Test mutating func aNonceThatIsUsedUpIsReplacedAndTheSpaceStays() throws {
    memory = try nearlyExhausted()
    #expect(warm(1)[0].digestField("nc") == "ffffffff")
    var next = TaskScene()
    next.begin(memory)
    #expect(next.sent != nil && next.authorization == nil)
    next.refuse(TaskScene.digest("n1"), with: memory)
    #expect(next.digestField("nonce") == "n1" && next.digestField("nc") == "00000001")
    next.succeed(with: memory)
    #expect(warm(1)[0].digestField("nc") == "00000002")
  }

  @Test mutating func aNonceThatIsUsedUpAndGivenAgainKeepsItsCount() throws {
    memory = try nearlyExhausted()
    var scenes = warm(2)
    #expect(scenes[1].authorization == nil)
    scenes[1].refuse(TaskScene.digest("n0"), with: memory)
    #expect(scenes[1].authorization == nil)
    scenes[1].refuse(TaskScene.digest("n0"), with: memory)
    #expect(scenes[1].isDelivered)
  }

  @Test(arguments: [true, false])
  mutating func aWrongProofIsFoundOutWhateverHasBecomeOfTheCredential(_ isReplaced: Bool) {
    var scene = warm(1)[0]
    if isReplaced {
      memory.store(TaskScene.password("y"), for: TaskScene.space("r", .digest), owner: 1, now: 0)
    } else {
      memory.removeAll()
    }
    let proof = String(repeating: "0", count: 64)
    scene.succeed(200, [HeaderField("Authentication-Info", "rspauth=\"\(proof)\"")], with: memory)
    #expect(scene.failure == .authentication(.serverNotAuthenticated))
  }

  @Test mutating func aNextNonceOfARenewalIsSharedWithIt() {
    var scene = warm(2)[1]
    scene.refuse(TaskScene.digest("own"), with: memory)
    #expect(scene.digestField("nonce") == "own")
    scene.succeed(200, [HeaderField("Authentication-Info", "nextnonce=\"next\"")], with: memory)
    #expect(warm(1)[0].digestField("nonce") == "next")
  }

  @Test mutating func aStaleNonceOfAnotherAlgorithmIsNoRefusalEither() {
    var scene = warm(1)[0]
    scene.refuse("Digest realm=\"r\", qop=\"auth\", algorithm=MD5, nonce=\"m\", stale=true", with: memory)
    #expect(scene.digestField("nonce") == "m")
    #expect(memory.count == 1)
  }
}
