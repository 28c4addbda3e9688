@testable internal import WatchwordCore
internal import WatchwordVocabulary

/// One task with a memory of its own, whose delegate takes every challenge.
struct TaskUnderTest {
  private let machine: TaskStateMachine
  private let memory = SessionMemory()
  private var isOver = false
  private var delivered: [Int] = []
  private(set) var steps: [NegotiationStep] = []
  /// Requests with an `Authorization`.
  private(set) var authorizations = 0

  init(scheme: WebScheme, isProxied: Bool = false, policy: MethodPolicy = MethodPolicy()) {
    let url = RequestURL(
      origin: Origin(scheme: scheme, host: "a.example", port: scheme.defaultPort), path: "/d/x", query: nil)
    var rules = ProxyRules(.session)
    let origin = Origin(scheme: .http, host: "proxy.example", port: 3128)
    rules.all = ProxyRules.Setting(
      name: "all", proxy: Proxy(.http, url: RequestURL(origin: origin, path: "/", query: nil)))
    machine = TaskStateMachine(
      request: RequestStep(url: url, method: "GET", headers: []),
      authentication: AuthenticationStateMachine.Settings(
        policy: policy, refusalBudget: 5, clientNonce: { "c" }),
      redirectPolicy: RedirectPolicy(), proxies: isProxied ? rules : nil)
  }

  private var context: TaskStateMachine.Context {
    TaskStateMachine.Context(
      TaskStateMachine.Surroundings(
        task: TaskIdentifier(1), process: nil, canAsk: { _, _, _, _ in true }, body: { _ in .empty },
        resolve: { _, _ in .malformed }),
      now: 0, wallClock: 1_000_000, memory: memory)
  }

  func hasDelivered(_ status: Int) -> Bool { delivered.contains(status) }

  mutating func begin() { feed { $0.handle(.begin, $1) } }

  /// A response with an empty body.
  mutating func respond(_ head: ResponseHead) {
    feed { $0.handle(.received(head), $1) }
    end(nil)
  }

  mutating func end(_ error: TransportError?) {
    feed { $0.handle(.exchangeEnded(error, body: .empty), $1) }
  }

  mutating func answer(_ verdict: ChallengeVerdict) { feed { $0.handle(.answered(verdict), $1) } }

  mutating func negotiated(_ outcome: NegotiationOutcome) {
    feed { $0.handle(.negotiated(outcome), $1) }
  }

  private mutating func feed(
    _ event: (TaskStateMachine, TaskStateMachine.Context) -> [TaskStateMachine.Effect]
  ) {
    let effects = event(machine, context)
    for effect in effects {
      require(!isOver, "a task that has ended goes on")
      switch effect {
      case .send(let request):
        if request.authorization != nil { authorizations += 1 }
      case .task(.negotiate(let step)): steps.append(step)
      case .task(.body(.deliver)): delivered.append(machine.head?.status ?? 0)
      case .task(.deliverHeld): delivered.append(machine.head?.status ?? 0)
      case .finish: isOver = true
      case .task, .ask, .report, .warn, .warnOfExchanges:
        break
      }
    }
  }
}
