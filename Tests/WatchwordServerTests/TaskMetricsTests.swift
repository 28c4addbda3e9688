import Testing
import WatchwordCore
import WatchwordMessages
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What a task notes of its exchanges, and what is kept of it (messages.md 5.6).
struct TaskMetricsTests {
  init() { LoopThread.started }

  @ReactorActor private static func add(
    _ metrics: ExchangeMetrics, _ method: AuthenticationMethod? = nil, to task: inout TaskMetrics,
    _ budget: MemoryBudget
  ) {
    task.add(
      metrics, within: MemoryCharge(budget, uid: 1), url: SessionScene.url(), status: 200, method: method,
      mechanism: nil)
  }

  @Test @ReactorActor func theMechanismOfALateProofIsThatOfTheLastExchange() {
    let budget = MemoryBudget(limit: 1 << 20)
    var task = TaskMetrics()
    // Without an exchange there is none.
    task.note(.kerberos)
    Self.add(ExchangeMetrics(), .negotiate, to: &task, budget)
    Self.add(ExchangeMetrics(), .basic, to: &task, budget)
    task.note(.kerberos)
    #expect(task.sent.exchanges.map(\.mechanism) == [nil, nil])
    Self.add(ExchangeMetrics(), .negotiate, to: &task, budget)
    task.note(.ntlm)
    #expect(task.sent.exchanges.map(\.mechanism) == [nil, nil, "ntlm"])
  }

  @Test @ReactorActor func timeThatATaskHasWaitedIsCountedOnce() {
    var task = TaskMetrics()
    task.begin(10)
    task.beginWait(12)
    task.beginWait(13)
    task.endWait(15)
    task.endWait(16)
    task.end(20)
    #expect(task.sent.challengeWaitSeconds == 3 && task.sent.totalSeconds == 10)
  }

  @Test @ReactorActor func soManyExchangesAreNoted() {
    let budget = MemoryBudget(limit: 1 << 20)
    var task = TaskMetrics()
    for _ in 0..<200 { Self.add(ExchangeMetrics(), to: &task, budget) }
    #expect(task.sent.exchanges.count == 128)
  }

  private static let cookie = Cookie(
    name: "a", value: "b", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
    isSecure: false, isHTTPOnly: false)

  /// Cookies of a task that there is no memory for are left out, all of them.
  @Test(arguments: [(1 << 20, false), (10, true)])
  @ReactorActor func cookiesOfATaskCount(_ limit: Int, _ isEmpty: Bool) {
    let budget = MemoryBudget(limit: limit)
    let cookies = TaskCookies(policy: .accept, charge: MemoryCharge(budget, uid: 1))
    _ = cookies.jar.set(Self.cookie)
    cookies.count()
    #expect(cookies.jar.isEmpty == isEmpty && (budget.total == 0) == isEmpty)
    #expect(budget.total == cookies.jar.heldBytes)
  }

  @ReactorActor private static func keep(_ number: Int, _ count: Int, in results: KeptResults) {
    let entry = KeptResults.EndedTask(
      viewer: nil,
      description: Sent.TaskSummary(
        task: "t", session: "s", url: "u", method: "GET", state: "finished", detached: true,
        bytesReceived: 0),
      member: "result", text: [UInt8](repeating: 1, count: count),
      charge: MemoryCharge(MemoryBudget(limit: 1), uid: 1), expires: EventLoop.shared.now + 1000)
    results.keep(entry, as: TaskName(uid: 1, text: "t\(number)"))
  }

  /// A task of the same name takes the place of the earlier one, which counts no more.
  @Test @ReactorActor func aResultTakesThePlaceOfThatOfTheSameName() {
    let results = KeptResults()
    let most = 64 * 1024 * 1024
    for _ in 0..<3 { Self.keep(1, most / 2, in: results) }
    Self.keep(2, most / 2, in: results)
    #expect(results.count == 2 && results.ofNamedSessions.map(\.name.text) == ["t1", "t2"])
    Self.keep(1, 1, in: results)
    #expect(results.ofNamedSessions.map(\.name.text) == ["t2", "t1"])
  }

  /// What was checked, and what of it was wrong.
  @Test @ReactorActor func checkedBodiesAreCounted() {
    let counters = Counters()
    counters.count(.verified)
    counters.count(.verified)
    counters.count(.unchecked)
    #expect(counters.bodiesVerified == 2 && counters.bodiesMismatched == 0)
    let named = Dictionary(uniqueKeysWithValues: counters.named)
    #expect(named["bodies.verified"] == 2 && named["bodies.mismatched"] == 0)
  }

  /// Details are kept while they fit, and exchanges without them after that.
  @Test @ReactorActor func soManyDetailsAreNoted() throws {
    let most = 262_144
    func details(_ count: Int) -> ExchangeDetails {
      let line = String(repeating: "x", count: count)
      return ExchangeDetails(
        remoteAddress: nil, isProxyConnection: false, isReused: false, security: nil,
        requests: [ExchangeDetails.RequestHead(line: line, headers: [])])
    }
    let first = details(100_000)
    // One that takes all that is left, or a byte more.
    let rest = most - first.heldBytes - details(0).heldBytes
    let count = rest * 4 / 5
    let exact = try #require((count - 2...count + 2).first { $0 + $0 / 4 == rest })
    for (count, isNoted) in [(exact, true), (exact + 1, false)] {
      let budget = MemoryBudget(limit: 1 << 20)
      var task = TaskMetrics()
      for details in [first, details(count)] {
        var metrics = ExchangeMetrics()
        metrics.details = details
        Self.add(metrics, to: &task, budget)
      }
      #expect(task.sent.exchanges.map { $0.details != nil } == [true, isNoted])
    }
  }
}
