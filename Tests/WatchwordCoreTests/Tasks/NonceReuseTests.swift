import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Servers that refuse the second use of a nonce with 400 or 403 (methods.md 8.8).
struct NonceReuseTests {
  private var memory = SessionMemory()
  private let space = TaskScene.space("r", .digest)

  private init() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n0"), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.succeed(with: memory)
  }

  private mutating func begun(
    _ preemptive: MethodPolicy.Digest.Preemptive = .auto, method: String = "GET",
    body: RequestStep.Body = .none
  ) -> TaskScene {
    var policy = MethodPolicy()
    policy.digest.preemptive = preemptive
    var scene = TaskScene(method: method, body: body, policy: policy)
    scene.begin(memory)
    return scene
  }

  @Test(arguments: [400, 403])
  mutating func aRefusedSecondUseIsRepeatedWithoutOne(_ status: Int) {
    var scene = begun()
    #expect(scene.digestField("nc") == "00000002")
    scene.succeed(status, with: memory)
    #expect(scene.isExchanging && scene.authorization == nil)
    scene.refuse(TaskScene.digest("n1"), with: memory)
    #expect(scene.digestField("nonce") == "n1" && scene.digestField("nc") == "00000001")
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
    #expect(begun().authorization == nil)
  }

  @Test mutating func aPageThatIsForbiddenIsNoRefusalOfTheNonce() {
    var scene = begun()
    scene.succeed(403, with: memory)
    scene.refuse(TaskScene.digest("n1"), with: memory)
    scene.succeed(403, with: memory)
    #expect(scene.isDelivered)
    #expect(begun().digestField("nonce") == "n1")
  }

  @Test mutating func aServerThatHasAcceptedASecondUseIsNotAskedAgain() {
    var scene = begun()
    scene.succeed(with: memory)
    scene = begun()
    scene.succeed(403, with: memory)
    #expect(scene.isDelivered)
  }

  @Test(arguments: [("POST", RequestStep.Body.replayable), ("PUT", .notReplayable)])
  mutating func whatMayNotBeRepeatedIsDeliveredAndEndsTheReuse(_ method: String, _ body: RequestStep.Body) {
    var scene = begun(method: method, body: body)
    scene.succeed(403, with: memory)
    #expect(scene.isDelivered)
    #expect(begun(method: method, body: body).authorization == nil)
  }

  @Test mutating func theConfigurationDecides() {
    #expect(begun(.never).authorization == nil)
    var scene = begun(.always)
    #expect(scene.authorization != nil)
    scene.succeed(403, with: memory)
    #expect(scene.isDelivered)
    #expect(begun(.always).authorization != nil)
  }

  /// An error of the server's own says nothing of the nonce.
  @Test mutating func onlyAResponseThatIsNoErrorOfTheServersProvesTheReuse() {
    for status in [499, 500] {
      memory = SessionMemory()
      self = NonceReuseTests()
      var scene = begun()
      scene.succeed(status, with: memory)
      scene = begun()
      scene.succeed(403, with: memory)
      #expect(scene.isDelivered == (status == 499))
    }
  }

  @Test mutating func aNonceThatHasNotServedIsNoReuse() {
    var scene = begun()
    scene.succeed(500, [HeaderField("Authentication-Info", "nextnonce=\"m\"")], with: memory)
    scene = begun()
    #expect(scene.digestField("nonce") == "m" && scene.digestField("nc") == "00000001")
    scene.succeed(403, with: memory)
    #expect(scene.isDelivered)
    #expect(begun().digestField("nonce") == "m")
  }
}
