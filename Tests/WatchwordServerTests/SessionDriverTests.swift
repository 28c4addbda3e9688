import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// The drivers of sessions and tasks: they do what the session's state says, in its order, and nothing else.
@Suite(.serialized) struct SessionDriverTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", "Basic realm=\"r\"")]

  @Test @ReactorActor func aFetchIsOneExchange() {
    let scene = SessionScene()
    _ = scene.begin()
    scene.engine.exchanges[0].respond(200, body: "hello")
    #expect(scene.told == ["t1 200 hello"])
    #expect(scene.counters.exchanges == 1)
    #expect(scene.session.state.tasks.isEmpty)
  }

  @Test @ReactorActor func anAnswerIsAcknowledgedBeforeAnythingComesOfIt() {
    let scene = SessionScene()
    scene.delegate(1)
    let task = scene.begin()
    scene.engine.exchanges[0].respond(401, Self.basic, body: "who?")
    #expect(task.state == .waiting)
    scene.reply(scene.challenge, password: "x")
    #expect(scene.engine.exchanges[1].authorization == "Basic am9lOng=")
    scene.engine.exchanges[1].respond(200, body: "in")
    #expect(scene.told == ["asked 1", "acknowledged", "settled answered", "credential added", "t1 200 in"])
    // The next one is sent with it unasked.
    _ = scene.begin()
    #expect(scene.engine.exchanges[2].authorization == "Basic am9lOng=")
    #expect(scene.counters.preemptive == 1)
  }

  /// What follows from an answer for hundreds of tasks is carried out in steps, and what follows from a head waits behind
  /// it: until then the driver does not know what the response is (challenges.md 4.6).
  @Test @ReactorActor func aRefusalThatHasNoMeaningYetIsNotDelivered() async {
    let scene = SessionScene()
    scene.delegate(1)
    for number in 0..<200 {
      _ = scene.begin()
      scene.engine.exchanges[number].respond(401, Self.basic)
    }
    _ = scene.begin(SessionScene.url("/other", scheme: .http))
    let other = scene.engine.exchanges[200]
    // One task tries it; when it is accepted, the others go on.
    scene.reply(scene.challenge, password: "x")
    while !EventLoop.shared.isStepOver {}
    scene.engine.exchanges[201].receive(200)
    #expect(scene.session.isBehind)
    other.receive(401, Self.basic)
    #expect(other.receive(body: "who?") == .pause)
    while scene.session.isBehind { await DaemonScene.turn() }
    #expect(other.calls.contains("resume"))
    other.receive(body: "who?")
    other.finish()
    scene.reply(scene.challenge, password: "y")
    scene.engine.exchanges.last?.respond(200, body: "in")
    #expect(scene.told.contains("t201 200 in"))
  }

  /// The machine keeps no head of a refused CONNECT; what follows it is not waited for either (challenges.md 4.6).
  @Test @ReactorActor func aRefusalThatLeavesNoHeadIsNotWaitedFor() {
    let scene = SessionScene()
    let task = scene.begin()
    #expect(task.known.machine.head == nil)
    task.perform(.body(.discard))
    #expect(scene.engine.exchanges[0].calls == ["limitRest"])
  }

  @Test @ReactorActor func aCancelledTaskLeavesItsQuestionAndItsExchange() {
    let scene = SessionScene()
    scene.delegate(1)
    let waiting = scene.begin()
    scene.engine.exchanges[0].respond(401, Self.basic)
    waiting.stop(.cancelled)
    let running = scene.begin()
    running.stop(.cancelled)
    #expect(scene.engine.exchanges[1].isCancelled)
    #expect(scene.told == ["asked 1", "settled withdrawn", "t1 cancelled", "t2 cancelled"])
    #expect(scene.session.state.board.waitingCount == 0)
  }

  @Test @ReactorActor func theTasksOfAConnectionEndWithIt() {
    let scene = SessionScene()
    scene.delegate(1)
    scene.delegate(2)
    _ = scene.begin(of: 1)
    _ = scene.begin(of: 1, isDetached: true)
    _ = scene.begin(of: 2)
    scene.session.remove(PeerIdentifier(1))
    #expect(scene.told == ["t1 cancelled"])
    #expect(scene.engine.exchanges.map(\.isCancelled) == [true, false, false])
  }

  @Test @ReactorActor func theEndOfASuspendedExchangeCountsWhenItsTaskGoesOn() {
    let scene = SessionScene()
    let task = scene.begin()
    scene.engine.exchanges[0].isUnsent = false
    task.suspend()
    #expect(scene.engine.exchanges[0].calls == ["pause"])
    scene.engine.exchanges[0].respond(302, [HeaderField("Location", "https://a.example/n")])
    #expect(scene.engine.exchanges.count == 1)
    task.resume()
    // It had ended; the next one was never paused.
    #expect(scene.engine.exchanges[0].calls == ["pause", "limitRest"])
    #expect(scene.engine.exchanges[1].calls.isEmpty)
    scene.engine.exchanges[1].respond(200)
    #expect(scene.told == ["t1 200 "])
  }

  @Test @ReactorActor func aSuspendedTaskWithoutAConnectionSendsNothing() {
    let scene = SessionScene()
    let task = scene.begin()
    task.suspend()
    #expect(scene.engine.exchanges.map(\.isCancelled) == [true])
    task.resume()
    #expect(scene.engine.exchanges.map(\.isCancelled) == [true, false])
    scene.engine.exchanges[1].respond(200)
    #expect(scene.told == ["t1 200 "])
  }

  @Test @ReactorActor func whatTheOutputDoesNotTakeEndsTheTask() {
    let scene = SessionScene()
    _ = scene.begin()
    scene.engine.exchanges[0].receive(200)
    scene.engine.exchanges[0].receive(body: String(repeating: "x", count: 2000))
    #expect(scene.engine.exchanges[0].isCancelled)
    #expect(scene.told == ["t1 bodyTooLarge(WatchwordCore.BodyLimit.inlineBodyBytes)"])
  }

  @Test @ReactorActor func aHeldRefusalThatHasNoPlaceIsAFailureAndNoResult() {
    let scene = SessionScene()
    let output = RefusingOutput()
    scene.delegate(1)
    _ = scene.begin(output: output)
    scene.engine.exchanges[0].respond(401, Self.basic, body: "page")
    scene.reply(scene.challenge, .rejectProtectionSpace)
    output.onAbandoned?()
    #expect(scene.told.last == "t1 outputFailed(28)")
    #expect(scene.session.tasks.isEmpty)
  }

  /// A caller that answers, leaves or cancels while it is being told of a challenge.
  @Test(arguments: ["reply", "leave", "cancel"])
  @ReactorActor func whatComesWhileAnEffectIsCarriedOutComesAfterIt(_ event: String) {
    let scene = SessionScene()
    scene.delegate(1)
    var task: TaskDriver?
    scene.onChallenge = { [unowned scene] challenge in
      switch event {
      case "reply": scene.reply(challenge.identifier, password: "x")
      case "leave": scene.session.remove(PeerIdentifier(1))
      default: task?.stop(.requestCancelled)
      }
    }
    task = scene.begin()
    scene.engine.exchanges[0].respond(401, Self.basic)
    let expected =
      switch event {
      case "reply": ["asked 1", "acknowledged", "settled answered"]
      case "leave": ["asked 1", "settled withdrawn", "t1 cancelled"]
      default: ["asked 1", "t1 requestCancelled", "settled withdrawn"]
      }
    #expect(scene.told == expected)
    #expect(scene.engine.exchanges.count == (event == "reply" ? 2 : 1))
    #expect(scene.session.state.board.pendingCount == 0)
  }

  @Test @ReactorActor func aDecisionForOneTaskHasConnectionsThatEndWithIt() {
    let scene = SessionScene()
    scene.delegate(1, [.serverTrust])
    _ = scene.begin()
    let shown = ServerTrust(
      certificates: [], presented: Self.chain, faults: [TrustFault(reason: .unknownIssuer, depth: 0)])
    scene.engine.exchanges[0].finish(.serverTrustUndecided(shown))
    #expect(scene.told == ["asked 1"])
    scene.reply(scene.challenge, .useCredential, Credential(.trust(.certificate), persistence: .none))
    #expect(scene.told.contains("acknowledged"))
    let partition = scene.engine.exchanges[1].setup.partition
    #expect(partition != .common)
    let judged = {
      scene.session.ruling(
        on: Self.chain, with: shown.faults, from: SessionScene.url().origin, at: .origin, in: $0)
    }
    #expect(judged(partition) == .accept)
    #expect(judged(.common) == .ask(shown.faults))
    // The handshake was stopped: both are one exchange.
    #expect(scene.counters.exchanges == 1)
    scene.engine.exchanges[1].respond(200)
    #expect(scene.engine.closings == ["partition"])
    #expect(judged(partition) == .ask(shown.faults))
  }

  @Test @ReactorActor func newRulesEndWhatIsUnsentAndForbidden() {
    let scene = SessionScene()
    _ = scene.begin(SessionScene.url(scheme: .http))
    _ = scene.begin(SessionScene.url(scheme: .http))
    _ = scene.begin()
    scene.engine.exchanges[0].receive(200)
    var rule = TrustPolicy.Rule()
    rule.allowsCleartext = false
    scene.policy = TrustPolicy(defaults: rule)
    scene.changes.add(.policy)
    scene.session.carryOutWhatIsDue()
    #expect(scene.told == ["t2 policyRefused(rule: \"transportSecurity.defaults.allowsCleartext\")"])
    #expect(scene.engine.closings == ["all"])
  }

  /// A reply for hundreds of tasks is no reason to keep others waiting.
  @Test @ReactorActor func whatFollowsForHundredsOfTasksIsDoneInSteps() async {
    let scene = SessionScene()
    scene.delegate(1)
    for _ in 0..<300 { _ = scene.begin() }
    for exchange in scene.engine.exchanges { exchange.respond(401, Self.basic) }
    scene.reply(scene.challenge, .cancelAuthenticationChallenge)
    let ended = { scene.told.filter { $0.hasPrefix("t") } }
    #expect(scene.told.contains("acknowledged") && ended().count < 150)
    // What comes meanwhile is no reason to do the rest at once.
    scene.session.remove(PeerIdentifier(2))
    #expect(ended().count < 250)
    while scene.session.isBehind {
      await withCheckedContinuation { continuation in
        EventLoop.shared.taker(of: 1).add { continuation.resume() }
      }
    }
    let failure = TaskFailure.authentication(.userCancelled)
    #expect(ended() == (1...300).map { "t\($0) \(failure)" })
    #expect(scene.session.tasks.isEmpty)
  }

  @Test @ReactorActor func whatBeginsAgainBecauseOfAResetCarriesNoCookies() {
    let scene = SessionScene()
    let cookie = Cookie(
      name: "a", value: "b", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
      isSecure: false, isHTTPOnly: false)
    _ = scene.engine.cookies.set(cookie)
    #expect(!scene.engine.cookies.isEmpty)
    var wereGone = false
    scene.engine.onClosing = { [unowned scene] in wereGone = scene.engine.cookies.isEmpty }
    scene.session.reset()
    #expect(wereGone)
  }

  @Test @ReactorActor func anAnswerComesBeforeWhatFollowsFromItsEvent() {
    let scene = SessionScene()
    scene.delegate(1)
    let space = ProtectionSpace(
      origin: SessionScene.url().origin, realm: OctetString("r"), authenticationMethod: .basic)
    let credential = Credential(.password(user: "joe", password: Secret("x".utf8)))
    scene.session.feed { $0.store(credential, for: [space], isDefault: true, owner: nil) }
    var wasTold = -1
    // The caller may go away while it is answered: the session can be used then.
    let removed = scene.session.feed { state in
      state.removeCredentials(for: [space], user: nil)
    } acknowledge: { [unowned scene] _ in
      wasTold = scene.told.count
      scene.session.remove(PeerIdentifier(1))
    }
    #expect((removed, wasTold) == (1, 1))
    #expect(scene.told == ["credential added", "credential removed"])
  }

  /// Its connection goes away before it has begun.
  @Test @ReactorActor func aTaskThatIsOverBeforeItBeginsEnds() {
    let scene = SessionScene()
    scene.delegate(1)
    _ = scene.begin(before: { scene.session.remove(PeerIdentifier(1)) })
    #expect(scene.told == ["t1 cancelled"])
    #expect(scene.session.tasks.isEmpty)
    #expect(scene.engine.exchanges.isEmpty)
  }

  /// A holder that comes keeps the session, however its last holder has left (messages.md 4.4).
  @Test @ReactorActor func aSessionInUseDoesNotEndAsIdle() async {
    var configuration = SessionConfiguration()
    configuration.idleSeconds = 0.01
    let scene = SessionScene(configuration)
    scene.delegate(1)
    _ = scene.begin(of: 1)
    // Its task ends with it.
    scene.session.remove(PeerIdentifier(1))
    scene.delegate(2)
    // Behind the timer that would end it.
    await DaemonScene.turn(after: 2 * configuration.idleSeconds)
    #expect(!scene.session.isOver)
    scene.session.remove(PeerIdentifier(2))
    await DaemonScene.turn(after: 2 * configuration.idleSeconds)
    #expect(scene.session.isOver)
  }

  @Test @ReactorActor func anInvalidatedSessionEndsItsTasksAndTheEngine() {
    let scene = SessionScene()
    scene.delegate(1)
    _ = scene.begin()
    scene.engine.exchanges[0].respond(401, Self.basic)
    scene.session.invalidate(.invalidated)
    #expect(
      scene.told == [
        "asked 1", "ending for [1]", "settled withdrawn", "t1 cancelled", "session invalidated",
      ])
    #expect(scene.engine.isShutDown)
    #expect(scene.session.isOver)
  }

  private static let chain: PresentedChain = {
    // Thirty-two bytes are a fingerprint.
    let print = Fingerprint([UInt8](repeating: 7, count: Fingerprint.byteCount))!
    return PresentedChain(chain: print, certificate: print, publicKey: print)
  }()
}

/// Has no place for any body, and needs a while to say so.
@ReactorActor
private final class RefusingOutput: TaskOutput {
  var onDrained: (() -> Void)?

  func begin(_ head: ResponseHead) -> OutputFault? { .broken(28) }
  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer { .taken }
  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(0)))
  }
  func abandon() {}

  private(set) var onAbandoned: (@ReactorActor () -> Void)?
  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) { onAbandoned = completion }
}
