import Testing

@testable import WatchwordCore

/// Every state times every event: an event that does not belong changes nothing and asks for nothing.
struct TaskStateMachineTableTests {
  enum State: CaseIterable {
    case ready, readingBody, exchanging, receivingFinish, receivingRetry, receivingAsk, receivingFollow,
      asking,
      askingRedirect
    case finished
  }
  enum Event: CaseIterable { case begin, bodyRead, head, end, answered, redirectAnswered, stop }

  private var cache = CredentialCache()

  private mutating func scene(in state: State) -> TaskScene {
    var policy = RedirectPolicy()
    if state == .askingRedirect { policy.mode = .ask }
    if state == .receivingRetry {
      cache.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    }
    var scene = TaskScene(body: .replayable, redirects: policy)
    if state == .ready { return scene }
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
    case .ready, .readingBody, .exchanging: break
    case .receivingFinish: scene.head(200, [], &cache)
    case .receivingRetry, .receivingAsk: scene.head(401, challenge, &cache)
    case .receivingFollow: scene.head(302, [HeaderField("Location", "b.example")], &cache)
    case .asking: scene.refuse(TaskScene.basic(), cache: &cache)
    case .askingRedirect: scene.redirect(to: "b.example", cache: &cache)
    case .finished: scene.stop(.cancelled)
    }
    return scene
  }

  private func belongs(_ event: Event, in state: State) -> Bool {
    switch (event, state) {
    case (.begin, .ready), (.bodyRead, .readingBody), (.head, .exchanging), (.end, .exchanging),
      (.end, .receivingFinish),
      (.end, .receivingRetry), (.end, .receivingAsk), (.end, .receivingFollow), (.answered, .asking),
      (.redirectAnswered, .askingRedirect):
      true
    case (.stop, let state): state != .finished
    case (.begin, _), (.bodyRead, _), (.head, _), (.end, _), (.answered, _), (.redirectAnswered, _): false
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
    case .head: scene.head(200, [], &cache)
    case .end: scene.endAlone(nil, &cache)
    case .answered: scene.answer(.deliverRefusal, &cache)
    case .redirectAnswered: scene.answerRedirect(&cache)
    case .stop: scene.stop(.cancelled)
    }
    if belongs(event, in: state) {
      #expect(!scene.effects.isEmpty && scene.machine.phase != before)
    } else {
      #expect(scene.effects.isEmpty && scene.machine.phase == before)
    }
  }
}
