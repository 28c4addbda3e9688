import Testing

@testable import WatchwordCore

/// Every state times every event: an event that does not belong changes nothing and asks for nothing.
struct TaskStateMachineTableTests {
  enum State: CaseIterable {
    case ready, readingBody, awaitingTurn, exchanging, receivingFinish, receivingRetry, receivingInTurn
    case receivingAsk, receivingFollow, asking, askingRedirect, finished
  }
  enum Event: CaseIterable {
    case begin, bodyRead, turnCame, head, end, takenBack, answered, redirectAnswered, stop
  }

  private var cache = CredentialCache()

  private mutating func scene(in state: State) -> TaskScene {
    var policy = RedirectPolicy()
    if state == .askingRedirect { policy.mode = .ask }
    if state == .receivingRetry {
      cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    }
    var scene = TaskScene(body: .replayable, redirects: policy)
    if state == .ready { return scene }
    if state == .awaitingTurn || state == .receivingInTurn { return sharer(in: state) }
    scene.begin(&cache)
    if state == .readingBody {
      scene.refuse(TaskScene.integrityDigest, cache: &cache)
      scene.body = .unread
      scene.answer(.tryCredential(TaskScene.password("x")), &cache)
      scene.body = .empty
      return scene
    }
    let challenge = [HeaderField("WWW-Authenticate", TaskScene.basic())]
    switch state {
    case .ready, .readingBody, .awaitingTurn, .exchanging, .receivingInTurn: break
    case .receivingFinish: scene.head(200, [], &cache)
    case .receivingRetry, .receivingAsk: scene.head(401, challenge, &cache)
    case .receivingFollow: scene.head(302, [HeaderField("Location", "b.example")], &cache)
    case .asking: scene.refuse(TaskScene.basic(), cache: &cache)
    case .askingRedirect: scene.redirect(to: "b.example", cache: &cache)
    case .finished: scene.stop(.cancelled)
    }
    return scene
  }

  /// A task that meets a space in which another one repeats its request.
  private mutating func sharer(in state: State) -> TaskScene {
    var other = TaskScene()
    other.begin(&cache)
    other.refuse(TaskScene.digest("n"), cache: &cache)
    other.answer(.tryCredential(TaskScene.password("x")), &cache)
    other.succeed(cache: &cache)
    var scene = TaskScene()
    scene.number = 2
    other = TaskScene()
    other.begin(&cache)
    scene.begin(&cache)
    other.refuse(TaskScene.digest("m"), cache: &cache)
    scene.head(401, [HeaderField("WWW-Authenticate", TaskScene.digest("o"))], &cache)
    if state == .awaitingTurn {
      scene.end(&cache)
    } else {
      // It may go on as soon as its response has ended.
      other.succeed(cache: &cache)
    }
    return scene
  }

  private func belongs(_ event: Event, in state: State) -> Bool {
    switch (event, state) {
    case (.begin, .ready), (.bodyRead, .readingBody), (.turnCame, .awaitingTurn), (.head, .exchanging),
      (.takenBack, .exchanging), (.end, .exchanging), (.end, .receivingFinish), (.end, .receivingRetry),
      (.end, .receivingInTurn), (.end, .receivingAsk), (.end, .receivingFollow), (.answered, .asking),
      (.redirectAnswered, .askingRedirect):
      true
    case (.stop, let state): state != .finished
    case (.begin, _), (.bodyRead, _), (.turnCame, _), (.head, _), (.end, _), (.takenBack, _), (.answered, _),
      (.redirectAnswered, _):
      false
    }
  }

  @Test(arguments: State.allCases, Event.allCases)
  mutating func anEventThatDoesNotBelongChangesNothing(_ state: State, _ event: Event) {
    cache = CredentialCache()
    var scene = scene(in: state)
    let before = scene.machine.phase
    switch event {
    case .begin: scene.begin(&cache)
    case .bodyRead: scene.readBody(&cache)
    case .turnCame:
      // The one before it has its response.
      cache.turns.leave(TaskIdentifier(1))
      scene.turnCame(&cache)
    case .head: scene.head(200, [], &cache)
    case .takenBack: scene.takeBack(&cache)
    case .end: scene.endAlone(nil, &cache)
    case .answered: scene.answer(.deliverRefusal, &cache)
    case .redirectAnswered: scene.answerRedirect(&cache)
    case .stop: scene.stop(.cancelled)
    }
    if belongs(event, in: state) {
      // What is taken back is sent again when nobody else sends to the space.
      #expect(!scene.effects.isEmpty && (scene.machine.phase != before || event == .takenBack))
    } else {
      #expect(scene.effects.isEmpty && scene.machine.phase == before)
    }
  }
}
