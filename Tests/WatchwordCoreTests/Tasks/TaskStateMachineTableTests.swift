import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What each event leads to in each state: the effects, and the phase behind them. What is not in the table leads to
/// nothing.
struct TaskStateMachineTableTests {
  enum State: CaseIterable {
    case ready, readingBody, awaitingTurn, exchanging, receivingFinish, receivingRetry, receivingInTurn
    case receivingAsk, receivingFollow, asking, askingInHandshake, askingRedirect, finished
  }
  enum Event: CaseIterable {
    case begin, bodyRead, turnCame, head, end, takenBack, answered, redirectAnswered, stop
  }

  private var memory = SessionMemory()

  private mutating func scene(in state: State) -> TaskScene {
    var policy = RedirectPolicy()
    if state == .askingRedirect { policy.mode = .ask }
    if state == .receivingRetry {
      memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    }
    var scene = TaskScene(body: .replayable, redirects: policy)
    if state == .ready { return scene }
    if state == .awaitingTurn || state == .receivingInTurn { return sharer(in: state) }
    scene.begin(memory)
    if state == .readingBody {
      scene.refuse(TaskScene.integrityDigest, with: memory)
      scene.body = .unread
      scene.answer(.tryCredential(TaskScene.password("x")), memory)
      scene.body = .empty
      return scene
    }
    let challenge = [HeaderField("WWW-Authenticate", TaskScene.basic())]
    switch state {
    case .ready, .readingBody, .awaitingTurn, .exchanging, .receivingInTurn: break
    case .receivingFinish: scene.head(200, [], memory)
    case .receivingRetry, .receivingAsk: scene.head(401, challenge, memory)
    case .receivingFollow: scene.head(302, [HeaderField("Location", "b.example")], memory)
    case .asking: scene.refuse(TaskScene.basic(), with: memory)
    case .askingInHandshake: scene.endAlone(.serverTrustUndecided(TrustScene.trust()), memory)
    case .askingRedirect: scene.redirect(to: "b.example", with: memory)
    case .finished: scene.stop(.cancelled)
    }
    return scene
  }

  /// A task that meets a space in which another one repeats its request.
  private mutating func sharer(in state: State) -> TaskScene {
    var other = TaskScene()
    other.begin(memory)
    other.refuse(TaskScene.digest("n"), with: memory)
    other.answer(.tryCredential(TaskScene.password("x")), memory)
    other.succeed(with: memory)
    var scene = TaskScene()
    scene.number = 2
    other = TaskScene()
    other.begin(memory)
    scene.begin(memory)
    other.refuse(TaskScene.digest("m"), with: memory)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.digest("o"))], memory)
    if state == .awaitingTurn {
      scene.end(memory)
    } else {
      // It may go on as soon as its response has ended.
      other.succeed(with: memory)
    }
    return scene
  }

  @Test mutating func everyEventInEveryState() {
    var found: [String] = []
    for state in State.allCases {
      for event in Event.allCases {
        memory = SessionMemory()
        var scene = scene(in: state)
        let before = scene.machine.phase
        happen(event, &scene)
        let effects = scene.effects.map(Self.name).joined(separator: ", ")
        if effects.isEmpty && scene.machine.phase == before { continue }
        found.append("\(state) \(event): \(effects) -> \(Self.name(scene.machine.phase))")
      }
    }
    let expected = Self.table.split(separator: "\n").map(String.init)
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
  }

  private static let table = """
    ready begin: send -> exchanging
    ready stop: finish cancelled -> finished
    readingBody bodyRead: passed 401, send -> exchanging
    readingBody stop: finish cancelled -> finished
    awaitingTurn turnCame: passed 401, send -> exchanging
    awaitingTurn stop: finish cancelled -> finished
    exchanging head: body deliver -> receiving finish
    exchanging end: finish malformedResponse -> finished
    exchanging takenBack: send -> exchanging
    exchanging stop: finish cancelled -> finished
    receivingFinish end: finish -> finished
    receivingFinish stop: finish cancelled -> finished
    receivingRetry end: passed 401, send -> exchanging
    receivingRetry stop: finish cancelled -> finished
    receivingInTurn end: passed 401, send -> exchanging
    receivingInTurn stop: finish cancelled -> finished
    receivingAsk end: ask -> asking
    receivingAsk stop: finish cancelled -> finished
    receivingFollow end: redirected, send -> exchanging
    receivingFollow stop: finish cancelled -> finished
    asking answered: deliverHeld whole, finish -> finished
    asking stop: finish cancelled -> finished
    askingInHandshake answered: finish serverTrustRejected -> finished
    askingInHandshake stop: finish cancelled -> finished
    askingRedirect redirectAnswered: deliverHeld whole, finish -> finished
    askingRedirect stop: finish cancelled -> finished
    """

  private mutating func happen(_ event: Event, _ scene: inout TaskScene) {
    switch event {
    case .begin: scene.begin(memory)
    case .bodyRead: scene.readBody(memory)
    case .turnCame:
      // The one before it has its response.
      memory.turns.leave(TaskIdentifier(1))
      scene.turnCame(memory)
    case .head: scene.head(200, [], memory)
    case .takenBack: scene.takeBack(memory)
    case .end: scene.endAlone(nil, memory)
    case .answered: scene.answer(.deliverRefusal, memory)
    case .redirectAnswered: scene.answerRedirect(memory)
    case .stop: scene.stop(.cancelled)
    }
  }

  static func name(_ effect: TaskStateMachine.Effect) -> String {
    switch effect {
    case .send: "send"
    case .task(.readBody): "readBody"
    case .task(.negotiate): "negotiate"
    case .task(.readPage): "readPage"
    case .task(.body(let fate)): "body \(fate)"
    case .ask: "ask"
    case .task(.askRedirect): "askRedirect"
    case .report(let report): "report \(report)".prefix { $0 != "(" }.description
    case .warn: "warn"
    case .warnOfExchanges: "warnOfExchanges"
    case .task(.redirected): "redirected"
    case .task(.passed(let passed)): "passed \(passed.head.status)"
    case .task(.deliverHeld(let isWhole)): "deliverHeld \(isWhole ? "whole" : "part")"
    case .task(let effect): "\(effect)"
    case .finish(.transport(let error)?): "finish \(error)".prefix { $0 != "(" }.description
    case .finish(let failure): failure.map { "finish \($0)" } ?? "finish"
    }
  }

  static func name(_ phase: TaskStateMachine.Phase) -> String {
    switch phase {
    case .ready: "ready"
    case .readingBody: "readingBody"
    case .readingPage: "readingPage"
    case .awaitingTurn: "awaitingTurn"
    case .makingToken: "makingToken"
    case .verifying: "verifying"
    case .exchanging: "exchanging"
    case .receiving(let continuation): "receiving \(continuation)".prefix { $0 != "(" }.description
    case .asking: "asking"
    case .askingInHandshake: "askingInHandshake"
    case .askingRedirect: "askingRedirect"
    case .finished: "finished"
    }
  }
}
