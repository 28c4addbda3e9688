import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Servers whose nonces belong to connections (methods.md 8.7).
struct ConnectionNonceTests {
  private var memory = SessionMemory()
  private let space = TaskScene.space("r", .digest)

  private mutating func refused(on connection: UInt64, _ nonce: String, number: UInt64 = 1) -> TaskScene {
    var scene = TaskScene()
    scene.number = number
    scene.connection = connection
    scene.begin(memory)
    scene.refuse(TaskScene.digest(nonce), with: memory)
    return scene
  }

  @Test(arguments: [Persistence.none, .forSession])
  mutating func aFirstAnswerHasANonceOfItsConnection(_ persistence: Persistence) {
    var scene = refused(on: 1, "one")
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x", persistence)), memory)
    #expect(scene.authorization == nil && scene.isExchanging)
    scene.refuse(TaskScene.digest("two"), with: memory)
    #expect(scene.digestField("nonce") == "two" && scene.digestField("nc") == "00000001")
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  @Test(
    arguments: [
      ("http/1.1", "close", true), ("http/1.1", "keep-alive, Close", true), ("http/1.1", "x,close", true),
      ("http/1.1", "keep-alive", false), ("http/1.1", "closed", false), ("http/1.0", "x", true),
      ("http/1.0", "keep-alive", false), ("http/1.0", "x Keep-Alive", false),
    ])
  mutating func anAnswerToARefusalThatEndsItsConnectionHasItsNonce(
    _ networkProtocol: String, _ options: String, _ isEnd: Bool
  ) {
    var scene = TaskScene()
    scene.connection = 1
    scene.networkProtocol = networkProtocol
    scene.begin(memory)
    let fields = [
      HeaderField("WWW-Authenticate", TaskScene.digest("one")), HeaderField("Connection", options),
    ]
    scene.head(401, fields, memory)
    scene.end(memory)
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.digestField("nonce") == (isEnd ? "one" : nil))
  }

  @Test mutating func aNonceThatHasNotServedIsTakenFromAnotherTask() {
    _ = refused(on: 2, "two", number: 2)
    var scene = refused(on: 1, "one")
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.digestField("nonce") == "two")
  }

  @Test mutating func aTaskThatNeverGetsANonceOfItsConnectionAnswersAfterAll() {
    var scene = refused(on: 1, "n0")
    var bare = 0
    scene.connects = false
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    while scene.isExchanging, bare < 100 {
      scene.connection = UInt64(bare) + 2
      scene.connect(memory)
      if scene.authorization != nil { break }
      bare += 1
      // The refusal comes on a connection that is taken before the answer is sent.
      scene.refuse(TaskScene.digest("n\(bare)"), with: memory)
    }
    #expect(bare == AuthenticationStateMachine.requestsForNonceLimit)
    #expect(scene.digestField("nonce") != nil)
  }

  /// The session's credential is accepted with the nonce of connection 1.
  private mutating func warm() {
    var scene = refused(on: 1, "one")
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
  }

  /// Two connections have the newest nonces "three" and "four", which have served.
  private mutating func bind() {
    warm()
    refuseAlone([(2, "two"), (1, "three")])
    #expect(!memory.nonces.ofConnections.isBound(space) && memory.turns.isOrdered(space))
    refuseAlone([(2, "four")])
  }

  private mutating func refuseAlone(_ refusals: [(connection: UInt64, nonce: String)]) {
    for (connection, nonce) in refusals {
      var scene = TaskScene()
      scene.connection = connection
      scene.begin(memory)
      scene.refuse(TaskScene.digest(nonce), with: memory)
      // It repeats its request with the nonce of its connection.
      #expect(scene.digestField("nonce") == nonce)
      scene.succeed(with: memory)
    }
  }

  @Test mutating func thoseAloneThatAreRefusedOnOtherConnectionsBindTheSpace() {
    bind()
    #expect(memory.nonces.ofConnections.isBound(space) && !memory.turns.isOrdered(space))
    for (connection, nonce) in [(2, "four"), (1, "three"), (2, "four")] as [(UInt64, String)] {
      var later = TaskScene()
      later.connection = connection
      later.begin(memory)
      #expect(later.digestField("nonce") == nonce)
      later.succeed(with: memory)
    }
  }

  /// A device with one nonce for each connection gives it again, and takes it again.
  @Test mutating func aNonceThatTheServerGivesAgainIsAnsweredWith() {
    warm()
    refuseAlone([(2, "two"), (1, "one")])
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    scene.connects = false
    scene.refuse(TaskScene.digest("two"), with: memory)
    #expect(memory.nonces.ofConnections.isBound(space))
    scene.connection = 1
    scene.connect(memory)
    #expect(scene.digestField("nonce") == "one" && scene.question == nil)
    scene.refuse(TaskScene.digest("one"), with: memory)
    #expect(scene.question?.previousFailureCount == 1, "a changed password")
  }

  /// A server that takes each nonce once looks as if they belonged to connections when others have had the newest ones.
  @Test mutating func aNonceThatAnotherTaskHadFirstProvesNothing() throws {
    bind()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    scene.connects = false
    #expect(scene.digestField("nonce") == "four")
    scene.refuse(TaskScene.digest("five"), with: memory)
    scene.connect(memory)
    #expect(scene.digestField("nonce") == "five")
    // Its count says that another one has sent it.
    let ticket = try #require(scene.machine.authentication.sent?.ticket)
    let other = DigestTicket(
      nonce: ticket.nonce, nonceCount: 7, clientNonce: ticket.clientNonce, target: ticket.target,
      quality: ticket.quality, algorithm: ticket.algorithm, passwordHash: ticket.passwordHash)
    memory.nonces.counts.note(other, at: space)
    scene.refuse(TaskScene.digest("six"), with: memory)
    scene.connect(memory)
    #expect(scene.question == nil && scene.digestField("nonce") == "six")
    scene.refuse(TaskScene.digest("seven"), with: memory)
    #expect(scene.question?.previousFailureCount == 1, "a nonce of its own")
  }

  @Test mutating func aServerThatTakesNoncesAnywhereIsLeftAlone() {
    warm()
    var scene = TaskScene()
    scene.connects = false
    scene.connection = 2
    scene.begin(memory)
    scene.connect(memory)
    scene.refuse(TaskScene.digest("two", stale: true), with: memory)
    scene.connection = 1
    scene.connect(memory)
    #expect(scene.digestField("nonce") == "two")
    scene.succeed(with: memory)
    #expect(memory.nonces.ofConnections.isUnbound(space) && !memory.nonces.ofConnections.isBound(space))
  }

  @Test mutating func aChangedPasswordIsRefusedAfterOneRepetition() {
    warm()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    scene.refuse(TaskScene.digest("two"), with: memory)
    scene.refuse(TaskScene.digest("three"), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test(arguments: [499, 500]) mutating func anErrorOfTheServersOwnIsNoAcceptanceOfANonce(_ status: Int) {
    warm()
    var scene = TaskScene()
    scene.connects = false
    scene.connection = 2
    scene.begin(memory)
    scene.refuse(TaskScene.digest("two", stale: true), with: memory)
    scene.connection = 1
    scene.connect(memory)
    scene.succeed(status, with: memory)
    #expect(memory.nonces.ofConnections.isUnbound(space) == (status == 499))
  }

  /// HTTP/2 carries many requests on a connection, of which nothing is known.
  @Test mutating func aNonceOfUnknownOriginIsOfNoOtherConnection() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("one"), with: memory)
    scene.connects = false
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.connection = 2
    // It is sent without to get one, eight times, and then with that of the refusal.
    for _ in 0..<AuthenticationStateMachine.requestsForNonceLimit {
      scene.connect(memory)
      #expect(scene.authorization == nil)
      scene.connection = nil
      scene.refuse(TaskScene.digest("one"), with: memory)
      scene.connection = 2
    }
    scene.connect(memory)
    #expect(scene.digestField("nonce") == "one")
    scene.succeed(with: memory)
    #expect(!memory.nonces.ofConnections.isUnbound(space))
  }

  @Test mutating func aRepetitionHasANonceOfItsConnection() {
    warm()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    scene.connects = false
    scene.refuse(TaskScene.digest("two"), with: memory)
    // Connection 1 has a nonce, which has served.
    for connection: UInt64 in [3, 1] {
      scene.connection = connection
      scene.connect(memory)
      #expect(scene.authorization == nil, "\(connection)")
    }
    scene.connection = 2
    scene.connect(memory)
    #expect(scene.digestField("nonce") == "two")
  }

  @Test(arguments: [1, 2]) mutating func theSecondStaleNonceIsAnsweredWithOneOfTheConnection(_ count: Int) {
    warm()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    scene.connects = false
    for number in 1...count {
      scene.refuse(TaskScene.digest("s\(number)", stale: true), with: memory)
      if number < count { scene.connect(memory) }
    }
    scene.connection = 3
    scene.connect(memory)
    #expect((scene.authorization == nil) == (count == 2))
  }

  /// Another task may have sent the nonce of this one's refusal meanwhile: it is still an answer to it.
  @Test mutating func theNonceOfTheTasksOwnRefusalIsAnsweredWithAlsoWhenItHasServed() {
    var scene = refused(on: 1, "one")
    let ticket = DigestTicket(
      nonce: "one", nonceCount: 4, clientNonce: "c", target: "/", quality: .auth, algorithm: .sha256,
      passwordHash: TaskScene.secret("x"))
    memory.nonces.counts.note(ticket, at: space)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.digestField("nonce") == "one" && scene.digestField("nc") == "00000005")
    // It is no answer to another one.
    var other = refused(on: 2, "two", number: 2)
    other.connection = 1
    other.answer(.tryCredential(TaskScene.password("y")), memory)
    #expect(other.authorization == nil)
  }

  /// A nonce that has served goes again only where the configuration, or the server, allows it (8.8).
  @Test(arguments: [MethodPolicy.Digest.Preemptive.always, .never])
  mutating func aNonceOfTheConnectionServesAgainWhereThatIsAllowed(
    _ preemptive: MethodPolicy.Digest.Preemptive
  ) {
    bind()
    var policy = MethodPolicy()
    policy.digest.preemptive = preemptive
    var scene = TaskScene(policy: policy)
    scene.connection = 2
    scene.connects = false
    scene.begin(memory)
    if preemptive == .never {
      scene.refuse(TaskScene.digest("five"), with: memory)
    }
    scene.connection = 1
    scene.connect(memory)
    #expect(scene.digestField("nonce") == (preemptive == .never ? nil : "three"))
  }

  /// 8.5: a repetition with a nonce that another task had first proves nothing.
  @Test mutating func suchARepetitionIsMadeEightTimes() throws {
    bind()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(memory)
    var repeated = 0
    while scene.isExchanging, repeated < 100 {
      let ticket = try #require(scene.machine.authentication.sent?.ticket)
      let other = DigestTicket(
        nonce: ticket.nonce, nonceCount: 7, clientNonce: ticket.clientNonce, target: ticket.target,
        quality: ticket.quality, algorithm: ticket.algorithm, passwordHash: ticket.passwordHash)
      memory.nonces.counts.note(other, at: space)
      scene.refuse(TaskScene.digest("m\(repeated)"), with: memory)
      repeated += 1
    }
    #expect(repeated == 2 + AuthenticationStateMachine.staleLimit)
    #expect(scene.question?.previousFailureCount == 1)
  }
}
