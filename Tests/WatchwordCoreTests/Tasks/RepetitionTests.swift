import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Requests whose connection was lost, or that were refused as they were sent (challenges.md 13.10).
struct RepetitionTests {
  private var cache = CredentialCache()

  private static let stale = ConnectionLoss(isBeforeFirstByte: true, wasStale: true)
  private static let unsent = ConnectionLoss(isBeforeFirstByte: true, wasStale: true, processed: .no)

  private mutating func sent(_ method: String = "GET", body: RedirectStep.Body = .none) -> TaskScene {
    var scene = TaskScene(method: method, body: body)
    scene.begin(&cache)
    return scene
  }

  @Test(arguments: [
    "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "QUERY",
    "MKCOL",
    "MKCALENDAR", "COPY", "MOVE", "UNLOCK", "ACL",
  ])
  mutating func anIdempotentRequestIsSentAgain(_ method: String) {
    var scene = sent(method)
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(scene.sent?.method == method && scene.isExchanging)
    scene.succeed(cache: &cache)
    #expect(scene.isDelivered)
  }

  /// Method names are case-sensitive (RFC 9110 §9.1), and nothing is known of those that IANA does not register.
  @Test(arguments: ["POST", "PATCH", "get", "propfind", "LOCK", "CONNECT", "PRI", "X"])
  mutating func anotherRequestIsNotSentAgainUnlessItWasNotProcessed(_ method: String) {
    var scene = sent(method, body: .replayable)
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(scene.sent == nil && scene.failure == .transport(.connectionLost(Self.stale)))
    var other = sent(method, body: .replayable)
    other.endAlone(.connectionLost(Self.unsent), &cache)
    #expect(other.sent?.method == method)
  }

  @Test(arguments: [
    ConnectionLoss(isBeforeFirstByte: false, wasStale: true), ConnectionLoss(isBeforeFirstByte: true),
  ])
  mutating func aLossThatAnotherConnectionWouldRepeatIsFinal(_ loss: ConnectionLoss) {
    var scene = sent()
    scene.endAlone(.connectionLost(loss), &cache)
    #expect(scene.failure == .transport(.connectionLost(loss)))
  }

  @Test mutating func repetitionsEndAndTheLastAreOverHTTP1() {
    var scene = sent()
    var versions: [Bool] = []
    for _ in 0..<RepetitionRule.limit {
      scene.endAlone(.connectionLost(Self.stale), &cache)
      versions.append(scene.sent?.repetition.requiresHTTP1 ?? false)
    }
    #expect(versions == [false, false, true, true, true])
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(scene.failure == .transport(.connectionLost(Self.stale)))
  }

  @Test mutating func aServerThatRequiresHTTP1GetsItAtOnce() {
    var scene = sent("POST", body: .replayable)
    let loss = ConnectionLoss(isBeforeFirstByte: true, wasStale: true, processed: .no, requiresHTTP1: true)
    scene.endAlone(.connectionLost(loss), &cache)
    #expect(scene.sent?.repetition.requiresHTTP1 == true)
  }

  @Test mutating func eachHopBeginsAgain() {
    var scene = sent()
    scene.endAlone(.connectionLost(Self.stale), &cache)
    scene.redirect(to: "b.example", cache: &cache)
    #expect(scene.sent?.repetition == Repetition())
  }

  @Test mutating func theRetryWithACredentialCarriesItAgain() {
    var scene = sent("PUT", body: .replayable)
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    let first = scene.authorization
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(first != nil && scene.authorization == first)
    scene.succeed(cache: &cache)
    #expect(cache.count == 1)
  }

  @Test mutating func aPOSTWithACredentialIsNotSentAgain() {
    var scene = sent("POST", body: .replayable)
    scene.refuse(TaskScene.basic(), cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x")), &cache)
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(scene.sent == nil && scene.failure == .transport(.connectionLost(Self.stale)))
  }

  @Test mutating func anExpectationThatIsRefusedIsLeftOutOnce() {
    var scene = sent("POST", body: .notReplayable)
    #expect(scene.sent?.repetition.omitsExpect == false)
    scene.head(417, [], &cache)
    scene.end(&cache)
    #expect(scene.sent?.repetition.omitsExpect == true)
    scene.succeed(417, cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func theCallersExpectationIsLeftOutToo() {
    var scene = TaskScene(method: "POST", headers: [HeaderField("Expect", "100-continue")], body: .replayable)
    scene.begin(&cache)
    scene.succeed(417, cache: &cache)
    #expect(scene.sent?.headers == [])
  }

  @Test mutating func a417ToARequestWithoutExpectationIsTheResult() {
    var scene = sent("POST", body: .replayable)
    scene.succeed(417, cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aMisdirectedRequestTakesAnotherConnectionOnce() {
    var scene = sent("POST", body: .replayable)
    scene.succeed(421, cache: &cache)
    #expect(scene.sent?.repetition.requiresNewConnection == true)
    scene.succeed(421, cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aMisdirectedStreamIsTheResult() {
    var scene = sent("POST", body: .notReplayable)
    scene.succeed(421, cache: &cache)
    #expect(scene.isDelivered)
  }

  @Test mutating func aRepeatedRequestWithoutACredentialStaysWithoutOne() {
    var scene = TaskScene()
    scene.begin(&cache)
    scene.endAlone(.connectionLost(Self.stale), &cache)
    #expect(scene.isExchanging && scene.sent?.isAuthorizedLate == false && scene.authorization == nil)
  }
}
