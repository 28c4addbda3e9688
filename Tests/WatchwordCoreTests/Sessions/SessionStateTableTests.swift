import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What each event leads to in each state of a task, effect by effect.
///
/// The session has one delegate and one task, number 1. What is not in the table leads to nothing.
struct SessionStateTableTests {
  enum Place: String, CaseIterable {
    case ready, exchanging, sentOn, deliveringBody, holdingRefusal, asking, trying, suspended, redirecting,
      askingRedirect, askingTrust, finished,
      lockedBeforeIt, lockedWhileAsking, lockedWhileTrusting
  }

  enum Event: String, CaseIterable {
    case begin, head200, head401, head302, end, lost, untrusted, bodyRead, takenBack, replied, rejected,
      cancelled, late, redirectRefused, suspend, resume, stop, leave, policy, lock, unlock
  }

  @Test func everyEventInEveryState() {
    var found: [String] = []
    for place in Place.allCases {
      for event in Event.allCases {
        var scene = Self.scene()
        let task = Self.lead(&scene, to: place)
        Self.happen(event, to: task, &scene)
        if !scene.names.isEmpty { found.append("\(place) \(event): \(scene.names.joined(separator: ", "))") }
      }
    }
    let expected = Self.table.split(separator: "\n").map(String.init)
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
  }

  private static let table = """
    ready begin: send 1
    ready leave: stop 1 cancelled
    ready policy: close somethingIsGone
    exchanging head200: body 1 deliver
    exchanging head401: body 1 hold
    exchanging head302: body 1 discard
    exchanging end: finish 1 malformedResponse
    exchanging lost: finish 1 connectionLost
    exchanging untrusted: beginWait 1, notify 1 c1
    exchanging takenBack: send 1
    exchanging leave: stop 1 cancelled
    exchanging policy: stop 1 policyRefused, close somethingIsGone
    sentOn head200: body 1 deliver
    sentOn head401: body 1 hold
    sentOn head302: body 1 discard
    sentOn end: finish 1 malformedResponse
    sentOn lost: finish 1 connectionLost
    sentOn untrusted: beginWait 1, notify 1 c1
    sentOn takenBack: send 1
    sentOn leave: stop 1 cancelled
    sentOn policy: close somethingIsGone
    deliveringBody end: finish 1
    deliveringBody lost: finish 1 connectionLost
    deliveringBody untrusted: finish 1 serverTrustUndecided
    deliveringBody leave: stop 1 cancelled
    deliveringBody policy: close somethingIsGone
    holdingRefusal end: beginWait 1, notify 1 c1
    holdingRefusal lost: beginWait 1, notify 1 c1
    holdingRefusal untrusted: beginWait 1, notify 1 c1
    holdingRefusal leave: stop 1 cancelled
    holdingRefusal policy: close somethingIsGone
    asking replied: settled c1 answered, endWait 1, passed 1 origin 401, send 1
    asking rejected: settled c1 answered, endWait 1, deliverHeld 1, finish 1
    asking cancelled: settled c1 answered, endWait 1, finish 1 userCancelled
    asking late: settled c1 deadline, endWait 1, finish 1 userCancelled
    asking stop: settled c1 withdrawn
    asking leave: settled c1 withdrawn, stop 1 cancelled
    asking policy: close somethingIsGone
    trying head200: announce added, body 1 deliver
    trying head401: body 1 hold
    trying head302: announce added, body 1 discard
    trying end: finish 1 malformedResponse
    trying lost: finish 1 connectionLost
    trying untrusted: beginWait 1, notify 1 c2
    trying takenBack: send 1
    trying leave: stop 1 cancelled
    trying policy: stop 1 policyRefused, close somethingIsGone
    suspended head200: body 1 deliver
    suspended head401: body 1 hold
    suspended head302: body 1 discard
    suspended resume: finish 1 malformedResponse
    suspended leave: stop 1 cancelled
    suspended policy: stop 1 policyRefused, close somethingIsGone
    redirecting end: redirected 1, send 1
    redirecting lost: redirected 1, send 1
    redirecting untrusted: redirected 1, send 1
    redirecting leave: stop 1 cancelled
    redirecting policy: close somethingIsGone
    askingRedirect redirectRefused: endWait 1, deliverHeld 1, finish 1
    askingRedirect leave: stop 1 cancelled
    askingRedirect policy: close somethingIsGone
    askingTrust replied: settled c1 answered, endWait 1, send 1
    askingTrust rejected: settled c1 answered, endWait 1, finish 1 serverTrustRejected
    askingTrust cancelled: settled c1 answered, endWait 1, finish 1 serverTrustRejected
    askingTrust late: settled c1 deadline, endWait 1, finish 1 serverTrustRejected
    askingTrust stop: settled c1 withdrawn
    askingTrust leave: settled c1 withdrawn, stop 1 cancelled
    askingTrust policy: close somethingIsGone
    finished begin: stop 1 cancelled
    finished leave: stop 1 cancelled
    finished policy: close somethingIsGone
    ready lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    exchanging lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    sentOn lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    deliveringBody lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    holdingRefusal lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    asking lock: releaseKeys, close somethingIsGone, forgetAllTickets, settled c1 withdrawn, notify 1 c2
    trying lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    suspended lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    redirecting lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    askingRedirect lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    askingTrust lock: releaseKeys, close somethingIsGone, forgetAllTickets, settled c1 withdrawn, notify 1 c2
    finished lock: releaseKeys, close somethingIsGone, forgetAllTickets, takeBack 1
    lockedBeforeIt rejected: settled c1 answered, endWait 1, finish 1 agentLocked
    lockedBeforeIt cancelled: settled c1 answered, endWait 1, finish 1 userCancelled
    lockedBeforeIt late: settled c1 deadline, endWait 1, finish 1 userCancelled
    lockedBeforeIt stop: settled c1 withdrawn
    lockedBeforeIt leave: settled c1 withdrawn, stop 1 cancelled
    lockedBeforeIt policy: close somethingIsGone
    lockedBeforeIt unlock: settled c1 answered, endWait 1, send 1
    lockedWhileAsking late: settled c2 deadline, endWait 1, finish 1 userCancelled
    lockedWhileAsking stop: settled c2 withdrawn
    lockedWhileAsking leave: settled c2 withdrawn, stop 1 cancelled
    lockedWhileAsking policy: close somethingIsGone
    lockedWhileAsking unlock: settled c2 answered, endWait 1, beginWait 1, notify 1 c3
    lockedWhileTrusting late: settled c2 deadline, endWait 1, finish 1 userCancelled
    lockedWhileTrusting stop: settled c2 withdrawn
    lockedWhileTrusting leave: settled c2 withdrawn, stop 1 cancelled
    lockedWhileTrusting policy: close somethingIsGone
    lockedWhileTrusting unlock: settled c2 answered, endWait 1, send 1
    """

  private static func scene() -> SessionScene {
    var configuration = SessionConfiguration()
    configuration.redirects.mode = .follow
    var scene = SessionScene(configuration)
    scene.delegate(1, [.basic, .serverTrust, .agentUnlock])
    return scene
  }

  private static let url = TaskScene.url(scheme: .http)

  private static func lead(_ scene: inout SessionScene, to place: Place) -> SessionTask {
    let followed = [HeaderField("Location", "a.example")]
    let challenge = [HeaderField("WWW-Authenticate", TaskScene.basic())]
    switch place {
    case .ready: return scene.add(of: 1, url)
    case .exchanging: return scene.begin(of: 1, url)
    case .sentOn: return scene.begin(of: 1, TaskScene.url())
    case .deliveringBody:
      let task = scene.begin(of: 1, url)
      scene.take { $0.handle(.received(ResponseHead(status: 200, headers: [])), of: task) }
      return task
    case .holdingRefusal:
      let task = scene.begin(of: 1, url)
      scene.take { $0.handle(.received(ResponseHead(status: 401, headers: challenge)), of: task) }
      return task
    case .asking:
      let task = scene.begin(of: 1, url)
      scene.refuse(TaskScene.basic(), task)
      return task
    case .trying:
      let task = scene.begin(of: 1, url)
      scene.refuse(TaskScene.basic(), task)
      try? scene.reply("c1", by: 1, .useCredential, TaskScene.password("x"))
      // It goes onto its connection, which is when its field is made.
      _ = scene.state.authorization(of: task)
      return task
    case .suspended:
      let task = scene.begin(of: 1, url)
      scene.take { $0.suspend(task) }
      scene.take { $0.handle(.exchangeEnded(nil, body: .empty), of: task) }
      return task
    case .redirecting:
      let task = scene.begin(of: 1, url)
      scene.take { $0.handle(.received(ResponseHead(status: 302, headers: followed)), of: task) }
      return task
    case .askingRedirect:
      var configuration = SessionConfiguration()
      configuration.redirects.mode = .ask
      scene = SessionScene(configuration)
      scene.delegate(1)
      let task = scene.begin(of: 1, url)
      scene.respond(302, followed, to: task)
      return task
    case .askingTrust:
      let task = scene.begin(of: 1, TaskScene.url())
      scene.take {
        $0.handle(.exchangeEnded(.serverTrustUndecided(TrustScene.trust()), body: .empty), of: task)
      }
      return task
    case .finished:
      let task = scene.begin(of: 1, url)
      scene.respond(200, to: task)
      return task
    case .lockedBeforeIt:
      scene.take { $0.lock() }
      return scene.begin(of: 1, url)
    case .lockedWhileAsking, .lockedWhileTrusting:
      let task = lead(&scene, to: place == .lockedWhileAsking ? .asking : .askingTrust)
      scene.take { $0.lock() }
      return task
    }
  }

  private static func happen(_ event: Event, to task: SessionTask, _ scene: inout SessionScene) {
    let followed = [HeaderField("Location", "a.example")]
    let challenge = [HeaderField("WWW-Authenticate", TaskScene.basic())]
    scene.take { _ in [] }
    switch event {
    case .begin: scene.take { $0.handle(.begin, of: task) }
    case .head200: scene.take { $0.handle(.received(ResponseHead(status: 200, headers: [])), of: task) }
    case .head401:
      scene.take { $0.handle(.received(ResponseHead(status: 401, headers: challenge)), of: task) }
    case .head302:
      scene.take { $0.handle(.received(ResponseHead(status: 302, headers: followed)), of: task) }
    case .end: scene.take { $0.handle(.exchangeEnded(nil, body: .empty), of: task) }
    case .lost:
      let loss = ConnectionLoss(isBeforeFirstByte: true, processed: .no)
      scene.take { $0.handle(.exchangeEnded(.connectionLost(loss), body: .unknown), of: task) }
    case .untrusted:
      scene.take {
        $0.handle(.exchangeEnded(.serverTrustUndecided(TrustScene.trust()), body: .unknown), of: task)
      }
    case .bodyRead: scene.take { $0.handle(.bodyRead, of: task) }
    case .takenBack: scene.take { $0.handle(.takenBack, of: task) }
    case .replied:
      let isTrust = scene.state.board.challenge("c1")?.question.space.serverTrust != nil
      try? scene.reply(
        "c1", by: 1, .useCredential,
        isTrust ? Credential(.trust(.certificate), persistence: .forSession) : TaskScene.password("y"))
    case .rejected: try? scene.reply("c1", by: 1, .rejectProtectionSpace)
    case .cancelled: try? scene.reply("c1", by: 1, .cancelAuthenticationChallenge)
    case .late:
      scene.now += 1000
      scene.take { $0.tick() }
    case .redirectRefused: scene.take { $0.handle(.redirectAnswered(nil), of: task) }
    case .suspend: scene.take { $0.suspend(task) }
    case .resume: scene.take { $0.resume(task) }
    case .stop: scene.take { $0.stop(task, .cancelled) }
    case .leave: scene.take { $0.remove(PeerIdentifier(1)) }
    case .lock: scene.take { $0.lock() }
    case .unlock: scene.take { $0.unlock(isByReply: true) }
    case .policy:
      var rule = TrustPolicy.Rule()
      rule.allowsCleartext = false
      scene.policy = TrustPolicy(defaults: rule)
      var unsent: [SessionTask] = []
      if case .exchanging = task.machine.phase { unsent = [task] }
      scene.take { $0.policyChanged(unsent: unsent) }
    }
  }
}
