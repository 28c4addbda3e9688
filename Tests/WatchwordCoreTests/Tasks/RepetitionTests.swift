import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Requests whose connection was lost, or that were refused as they were sent (challenges.md 13.10).
struct RepetitionTests {
  private var memory = SessionMemory()

  private static let stale = ConnectionLoss(isBeforeFirstByte: true, wasStale: true)
  private static let unsent = ConnectionLoss(isBeforeFirstByte: true, wasStale: true, processed: .no)

  private mutating func sent(_ method: String = "GET", body: RequestStep.Body = .none) -> TaskScene {
    var scene = TaskScene(method: method, body: body)
    scene.begin(memory)
    return scene
  }

  @Test(arguments: [
    "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "QUERY",
    "MKCOL",
    "MKCALENDAR", "COPY", "MOVE", "UNLOCK", "ACL",
  ])
  mutating func anIdempotentRequestIsSentAgain(_ method: String) {
    var scene = sent(method)
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(scene.sent?.method == method && scene.isExchanging)
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  /// Method names are case-sensitive (RFC 9110 §9.1), and nothing is known of those that IANA does not register.
  @Test(arguments: ["POST", "PATCH", "get", "propfind", "LOCK", "CONNECT", "PRI", "X"])
  mutating func anotherRequestIsNotSentAgainUnlessItWasNotProcessed(_ method: String) {
    var scene = sent(method, body: .replayable)
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(scene.sent == nil && scene.failure == .transport(.connectionLost(Self.stale)))
    var other = sent(method, body: .replayable)
    other.endAlone(.connectionLost(Self.unsent), memory)
    #expect(other.sent?.method == method)
  }

  @Test(arguments: [
    ConnectionLoss(isBeforeFirstByte: false, wasStale: true), ConnectionLoss(isBeforeFirstByte: true),
  ])
  mutating func aLossThatAnotherConnectionWouldRepeatIsFinal(_ loss: ConnectionLoss) {
    var scene = sent()
    scene.endAlone(.connectionLost(loss), memory)
    #expect(scene.failure == .transport(.connectionLost(loss)))
  }

  @Test mutating func repetitionsEndAndTheLastAreOverHTTP1() {
    var scene = sent()
    var versions: [Bool] = []
    for _ in 0..<RepetitionRule.limit {
      scene.endAlone(.connectionLost(Self.stale), memory)
      versions.append(scene.sent?.repetition.requiresHTTP1 ?? false)
    }
    #expect(versions == [false, false, true, true, true])
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(scene.failure == .transport(.connectionLost(Self.stale)))
  }

  @Test mutating func aServerThatRequiresHTTP1GetsItAtOnce() {
    var scene = sent("POST", body: .replayable)
    let loss = ConnectionLoss(isBeforeFirstByte: true, wasStale: true, processed: .no, requiresHTTP1: true)
    scene.endAlone(.connectionLost(loss), memory)
    #expect(scene.sent?.repetition.requiresHTTP1 == true)
  }

  @Test mutating func eachHopBeginsAgain() {
    var scene = sent()
    scene.endAlone(.connectionLost(Self.stale), memory)
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.repetition == Repetition())
  }

  @Test mutating func theRetryWithACredentialCarriesItAgain() {
    var scene = sent("PUT", body: .replayable)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    let first = scene.authorization
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(first != nil && scene.authorization == first)
    scene.succeed(with: memory)
    #expect(memory.count == 1)
  }

  @Test mutating func aPOSTWithACredentialIsNotSentAgain() {
    var scene = sent("POST", body: .replayable)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(scene.sent == nil && scene.failure == .transport(.connectionLost(Self.stale)))
  }

  @Test mutating func anExpectationThatIsRefusedIsLeftOutOnce() {
    var scene = sent("POST", body: .notReplayable)
    #expect(scene.sent?.repetition.omitsExpect == false)
    scene.head(417, [], memory)
    scene.end(memory)
    #expect(scene.sent?.repetition.omitsExpect == true)
    scene.succeed(417, with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func theCallersExpectationIsLeftOutToo() {
    var scene = TaskScene(method: "POST", headers: [HeaderField("Expect", "100-continue")], body: .replayable)
    scene.begin(memory)
    scene.succeed(417, with: memory)
    #expect(scene.sent?.headers == [])
  }

  @Test mutating func a417ToARequestWithoutExpectationIsTheResult() {
    var scene = sent("POST", body: .replayable)
    scene.succeed(417, with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aMisdirectedRequestTakesAnotherConnectionOnce() {
    var scene = sent("POST", body: .replayable)
    scene.succeed(421, with: memory)
    #expect(scene.sent?.repetition.requiresNewConnection == true)
    scene.succeed(421, with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aMisdirectedStreamIsTheResult() {
    var scene = sent("POST", body: .notReplayable)
    scene.succeed(421, with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aRepeatedRequestWithoutACredentialStaysWithoutOne() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.endAlone(.connectionLost(Self.stale), memory)
    #expect(scene.isExchanging && scene.sent?.isAuthorizedLate == false && scene.authorization == nil)
  }
}
