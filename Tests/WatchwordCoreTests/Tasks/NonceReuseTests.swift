import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Servers that refuse the second use of a nonce with 400 or 403 (methods.md 8.8).
struct NonceReuseTests {
  private var cache = CredentialCache()
  private let space = TaskScene.space("r", .digest)

  private init() {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.refuse(TaskScene.digest("n0"), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.succeed(cache: &cache)
  }

  private mutating func begun(
    _ preemptive: MethodPolicy.Digest.Preemptive = .auto, method: String = "GET",
    body: RedirectStep.Body = .none
  ) -> TaskScene {
    var policy = MethodPolicy()
    policy.digest.preemptive = preemptive
    var scene = TaskScene(method: method, body: body, policy: policy)
    scene.begin(&cache)
    return scene
  }

  @Test(arguments: [400, 403])
  mutating func aRefusedSecondUseIsRepeatedWithoutOne(_ status: Int) {
    var scene = begun()
    #expect(scene.digestField("nc") == "00000002")
    scene.succeed(status, cache: &cache)
    #expect(scene.isExchanging && scene.authorization == nil)
    scene.refuse(TaskScene.digest("n1"), cache: &cache)
    #expect(scene.digestField("nonce") == "n1" && scene.digestField("nc") == "00000001")
    scene.succeed(cache: &cache)
    #expect(scene.isDelivered)
    #expect(begun().authorization == nil)
  }

  @Test mutating func aPageThatIsForbiddenIsNoRefusalOfTheNonce() {
    var scene = begun()
    scene.succeed(403, cache: &cache)
    scene.refuse(TaskScene.digest("n1"), cache: &cache)
    scene.succeed(403, cache: &cache)
    #expect(scene.isDelivered)
    #expect(begun().digestField("nonce") == "n1")
  }

  @Test mutating func aServerThatHasAcceptedASecondUseIsNotAskedAgain() {
    var scene = begun()
    scene.succeed(cache: &cache)
    scene = begun()
    scene.succeed(403, cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test(arguments: [("POST", RedirectStep.Body.replayable), ("PUT", .notReplayable)])
  mutating func whatMayNotBeRepeatedIsDeliveredAndEndsTheReuse(_ method: String, _ body: RedirectStep.Body) {
    var scene = begun(method: method, body: body)
    scene.succeed(403, cache: &cache)
    #expect(scene.isDelivered)
    #expect(begun(method: method, body: body).authorization == nil)
  }

  @Test mutating func theConfigurationDecides() {
    #expect(begun(.never).authorization == nil)
    var scene = begun(.always)
    #expect(scene.authorization != nil)
    scene.succeed(403, cache: &cache)
    #expect(scene.isDelivered)
    #expect(begun(.always).authorization != nil)
  }

  /// An error of the server's own says nothing of the nonce.
  @Test mutating func onlyAResponseThatIsNoErrorOfTheServersProvesTheReuse() {
    for status in [499, 500] {
      cache = CredentialCache()
      self = NonceReuseTests()
      var scene = begun()
      scene.succeed(status, cache: &cache)
      scene = begun()
      scene.succeed(403, cache: &cache)
      #expect(scene.isDelivered == (status == 499))
    }
  }

  @Test mutating func aNonceThatHasNotServedIsNoReuse() {
    var scene = begun()
    scene.succeed(500, [HeaderField("Authentication-Info", "nextnonce=\"m\"")], cache: &cache)
    scene = begun()
    #expect(scene.digestField("nonce") == "m" && scene.digestField("nc") == "00000001")
    scene.succeed(403, cache: &cache)
    #expect(scene.isDelivered)
    #expect(begun().digestField("nonce") == "m")
  }
}
