import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Servers whose nonces belong to connections (methods.md 8.7).
struct ConnectionNonceTests {
  private var cache = CredentialCache()
  private let space = TaskScene.space("r", .digest)

  private mutating func refused(on connection: UInt64, _ nonce: String, number: UInt64 = 1) -> TaskScene {
    var scene = TaskScene()
    scene.number = number
    scene.connection = connection
    scene.begin(&cache)
    scene.refuse(TaskScene.digest(nonce), cache: &cache)
    return scene
  }

  @Test(arguments: [Persistence.none, .forSession])
  mutating func aFirstAnswerHasANonceOfItsConnection(_ persistence: Persistence) {
    var scene = refused(on: 1, "one")
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x", persistence)), &cache)
    #expect(scene.authorization == nil && scene.isExchanging)
    scene.refuse(TaskScene.digest("two"), cache: &cache)
    #expect(scene.digestField("nonce") == "two" && scene.digestField("nc") == "00000001")
    scene.succeed(cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func anAnswerToARefusalThatEndsItsConnectionHasItsNonce() {
    var scene = TaskScene()
    scene.connection = 1
    scene.begin(&cache)
    let fields = [
      HeaderField("WWW-Authenticate", TaskScene.digest("one")), HeaderField("Connection", "close"),
    ]
    scene.head(401, fields, &cache)
    scene.end(&cache)
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.digestField("nonce") == "one")
  }

  @Test mutating func aNonceThatHasNotServedIsTakenFromAnotherTask() {
    _ = refused(on: 2, "two", number: 2)
    var scene = refused(on: 1, "one")
    scene.connection = 2
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    #expect(scene.digestField("nonce") == "two")
  }

  @Test mutating func aTaskThatNeverGetsANonceOfItsConnectionAnswersAfterAll() {
    var scene = refused(on: 1, "n0")
    var bare = 0
    scene.connects = false
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    while scene.isExchanging, bare < 100 {
      scene.connection = UInt64(bare) + 2
      scene.connect(&cache)
      if scene.authorization != nil { break }
      bare += 1
      // The refusal comes on a connection that is taken before the answer is sent.
      scene.refuse(TaskScene.digest("n\(bare)"), cache: &cache)
    }
    #expect(bare == AuthenticationStateMachine.requestsForNonceLimit)
    #expect(scene.digestField("nonce") != nil)
  }

  /// The session's credential is accepted with the nonce of connection 1.
  private mutating func warm() {
    var scene = refused(on: 1, "one")
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
  }

  /// Two connections have the newest nonces "three" and "four", which have served.
  private mutating func bind() {
    warm()
    refuseAlone([(2, "two"), (1, "three")])
    #expect(!cache.connectionNonces.isBound(space))
    refuseAlone([(2, "four")])
  }

  private mutating func refuseAlone(_ refusals: [(connection: UInt64, nonce: String)]) {
    for (connection, nonce) in refusals {
      var scene = TaskScene()
      scene.connection = connection
      scene.begin(&cache)
      scene.refuse(TaskScene.digest(nonce), cache: &cache)
      // It repeats its request with the nonce of its connection.
      #expect(scene.digestField("nonce") == nonce)
      scene.succeed(cache: &cache)
    }
  }

  @Test mutating func thoseAloneThatAreRefusedOnOtherConnectionsBindTheSpace() {
    bind()
    #expect(cache.connectionNonces.isBound(space) && !cache.turns.isOrdered(space))
    for (connection, nonce) in [(2, "four"), (1, "three"), (2, "four")] as [(UInt64, String)] {
      var later = TaskScene()
      later.connection = connection
      later.begin(&cache)
      #expect(later.digestField("nonce") == nonce)
      later.succeed(cache: &cache)
    }
  }

  /// A device with one nonce for each connection gives it again, and takes it again.
  @Test mutating func aNonceThatTheServerGivesAgainIsAnsweredWith() {
    warm()
    refuseAlone([(2, "two"), (1, "one")])
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(&cache)
    scene.connects = false
    scene.refuse(TaskScene.digest("two"), cache: &cache)
    #expect(cache.connectionNonces.isBound(space))
    scene.connection = 1
    scene.connect(&cache)
    #expect(scene.digestField("nonce") == "one" && scene.question == nil)
    scene.refuse(TaskScene.digest("one"), cache: &cache)
    #expect(scene.question?.previousFailureCount == 1, "a changed password")
  }

  /// A server that takes each nonce once looks as if they belonged to connections when others have had the newest ones.
  @Test mutating func aNonceThatAnotherTaskHadFirstProvesNothing() throws {
    bind()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(&cache)
    scene.connects = false
    #expect(scene.digestField("nonce") == "four")
    scene.refuse(TaskScene.digest("five"), cache: &cache)
    scene.connect(&cache)
    #expect(scene.digestField("nonce") == "five")
    // Its count says that another one has sent it.
    let ticket = try #require(scene.machine.authentication.sent?.ticket)
    let other = DigestTicket(
      nonce: ticket.nonce, nonceCount: 7, clientNonce: ticket.clientNonce, target: ticket.target,
      quality: ticket.quality, algorithm: ticket.algorithm, passwordHash: ticket.passwordHash)
    cache.nonceCounts.note(other, at: space)
    scene.refuse(TaskScene.digest("six"), cache: &cache)
    scene.connect(&cache)
    #expect(scene.question == nil && scene.digestField("nonce") == "six")
    scene.refuse(TaskScene.digest("seven"), cache: &cache)
    #expect(scene.question?.previousFailureCount == 1, "a nonce of its own")
  }

  @Test mutating func aServerThatTakesNoncesAnywhereIsLeftAlone() {
    warm()
    var scene = TaskScene()
    scene.connects = false
    scene.connection = 2
    scene.begin(&cache)
    scene.connect(&cache)
    scene.refuse(TaskScene.digest("two", stale: true), cache: &cache)
    scene.connection = 1
    scene.connect(&cache)
    #expect(scene.digestField("nonce") == "two")
    scene.succeed(cache: &cache)
    #expect(cache.connectionNonces.isUnbound(space) && !cache.connectionNonces.isBound(space))
  }

  @Test mutating func aChangedPasswordIsRefusedAfterOneRepetition() {
    warm()
    var scene = TaskScene()
    scene.connection = 2
    scene.begin(&cache)
    scene.refuse(TaskScene.digest("two"), cache: &cache)
    scene.refuse(TaskScene.digest("three"), cache: &cache)
    #expect(scene.question?.previousFailureCount == 1)
  }
}
