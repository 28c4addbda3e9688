import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What all or many sessions have to do counts as done at once, and is done later (storage.md 9.8.5).
@Suite(.serialized) struct SessionOrderTests {
  init() { LoopThread.started }

  private static let basic = [HeaderField("WWW-Authenticate", "Basic realm=\"r\"")]

  /// A session with a credential that goes unasked, and a cookie.
  @ReactorActor private func filled() -> SessionScene {
    let scene = SessionScene()
    scene.delegate(1)
    _ = scene.begin()
    scene.engine.exchanges[0].respond(401, Self.basic)
    scene.reply(scene.challenge, password: "x")
    scene.engine.exchanges[1].respond(200)
    _ = scene.engine.cookies.set(
      Cookie(
        name: "a", value: "b", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
        isSecure: false, isHTTPOnly: false))
    return scene
  }

  private static let filling = ["asked 1", "acknowledged", "settled answered", "credential added", "t1 200 "]

  @Test @ReactorActor func nothingThatIsToBeForgottenIsShown() {
    let scene = filled()
    scene.session.owe(.forget)
    #expect(scene.engine.cookies.list().isEmpty)
    #expect(scene.engine.cookies.heldBytes > 0)
    #expect(scene.session.ask { state in state.memory.count } == 0)
    #expect(scene.engine.cookies.heldBytes == 0)
    scene.session.carryOutWhatIsDue()
    #expect(scene.told == Self.filling + ["credential removed"])
  }

  @Test(arguments: [nil, SessionOrder.forget])
  @ReactorActor func aTaskThatBeginsMeanwhileCarriesNothing(_ order: SessionOrder?) {
    let scene = filled()
    if let order { scene.session.owe(order) }
    _ = scene.begin()
    #expect(scene.engine.exchanges[2].authorization == (order == nil ? "Basic am9lOng=" : nil))
    #expect(scene.engine.closings == (order == nil ? [] : ["all"]))
  }

  /// It asks in the middle of a handshake, which must not be ended there.
  @Test @ReactorActor func nothingOfTheTransportsFollowsFromItsQuestions() async {
    let scene = filled()
    scene.session.owe(.forget)
    #expect(!scene.session.mayStillPresent("none"))
    #expect(scene.session.state.memory.count == 0)
    #expect(scene.engine.closings.isEmpty)
    await withCheckedContinuation { continuation in
      EventLoop.shared.atEndOfTurn { continuation.resume() }
    }
    #expect(scene.engine.closings == ["all"])
    #expect(scene.told == Self.filling + ["credential removed"])
  }

  @Test @ReactorActor func whatWasPutOffComesBeforeWhatIsLater() {
    let scene = filled()
    scene.session.owe(.forget)
    _ = scene.session.mayStillPresent("none")
    let space = ProtectionSpace(
      origin: SessionScene.url().origin, realm: OctetString("r"), authenticationMethod: .basic)
    let credential = Credential(.password(user: "joe", password: Secret("y".utf8)))
    scene.session.feed { $0.store(credential, for: [space], isDefault: true, owner: nil) }
    #expect(scene.told == Self.filling + ["credential removed", "credential added"])
    #expect(scene.session.state.memory.count == 1)
  }

  @Test @ReactorActor func ordersAreCarriedOutInTheirOrder() {
    let scene = filled()
    scene.session.owe(.lock)
    #expect(scene.session.isLocked)
    scene.session.owe(.lock)
    scene.session.owe(.unlock(isByReply: false))
    #expect(!scene.session.isLocked)
    scene.session.owe(.unlock(isByReply: false))
    scene.session.owe(.lock)
    #expect(scene.session.isLocked)
  }

  @Test @ReactorActor func whatIsDueIsBounded() {
    let scene = filled()
    for _ in 0..<100 {
      scene.session.owe(.lock)
      scene.session.owe(.unlock(isByReply: false))
    }
    #expect(scene.session.due.count < 8)
    for _ in 0..<100 { scene.session.owe(.forget) }
    #expect(scene.session.due.count < 8)
  }

  @Test @ReactorActor func aChangeForAllSessionsComesBeforeWhatHappensLater() {
    let scene = SessionScene()
    scene.changes.add(.trustRemoved)
    #expect(scene.engine.closings.isEmpty)
    var exchanges = -1
    scene.engine.onClosing = { [unowned scene] in exchanges = scene.engine.exchanges.count }
    _ = scene.begin()
    #expect(scene.engine.closings == ["all"] && exchanges == 0 && scene.engine.exchanges.count == 1)
  }

  @Test @ReactorActor func changesAndOrdersAreCarriedOutInTheirOrder() {
    let scene = filled()
    scene.changes.add(.identitiesRead)
    scene.session.owe(.forget)
    for _ in 0..<2 { scene.changes.add(.identitiesRead) }
    scene.session.carryOutWhatIsDue()
    #expect(scene.engine.closings == ["idle", "all", "idle", "idle"])
    scene.session.carryOutWhatIsDue()
    #expect(scene.engine.closings.count == 4)
  }

  @Test @ReactorActor func aSessionFollowsOnlyWhatHasChangedSinceItIsThere() {
    let scene = SessionScene()
    scene.changes.add(.trustRemoved)
    let other = SessionScene(following: scene.changes)
    scene.changes.add(.identitiesRead)
    other.session.carryOutWhatIsDue()
    #expect(other.engine.closings == ["idle"])
    scene.session.carryOutWhatIsDue()
    #expect(scene.engine.closings == ["all", "idle"])
  }

  /// Outside of a step, each session leaves in a step of its own.
  @Test @ReactorActor func itIsToldWhenTheLastOfManySessionsHasDoneWhatIsDue() async {
    let scenes = (0..<3).map { _ in SessionScene() }
    for scene in scenes { scene.delegate(1) }
    let sessions = scenes.map(\.session!)
    var found: [[Bool]] = []
    scenes[0].onRest = { found.append(sessions.map(\.holdsNothing)) }
    let taker = EventLoop.shared.taker(of: 1)
    SessionDriver.owe(.remove(PeerIdentifier(1)), in: sessions, inTurnsOf: taker)
    #expect(sessions.map(\.holdsNothing) == [true, false, false] && found.isEmpty)
    while !sessions.allSatisfy(\.holdsNothing) {
      await withCheckedContinuation { continuation in taker.add { continuation.resume() } }
    }
    #expect(found == [[true, true, true]])
  }

  private static func spend(_ seconds: Double) {
    let end = EventLoop.monotonicSeconds() + seconds
    while EventLoop.monotonicSeconds() < end {}
  }

  @ReactorActor private final class Scenes { var all: [SessionScene] = [] }

  /// Sessions that take a millisecond each for a change.
  @ReactorActor private func slow(_ count: Int, isNamed: Bool = true) -> (AccountChanges, [SessionScene]) {
    let scenes = Scenes()
    let changes = AccountChanges(of: 1) { scenes.all.map { $0.session } }
    for _ in 0..<count {
      let scene = SessionScene(isNamed: isNamed, following: changes)
      scene.engine.onClosing = { Self.spend(0.001) }
      scenes.all.append(scene)
    }
    return (changes, scenes.all)
  }

  @Test @ReactorActor func manySessionsFollowInSteps() async {
    let (changes, scenes) = slow(50)
    let before = EventLoop.shared.steps
    changes.add(.trustRemoved)
    // What comes while they follow is followed, too.
    EventLoop.shared.taker(of: 1).add { changes.add(.identitiesRead) }
    await withCheckedContinuation { continuation in changes.whenFollowed { continuation.resume() } }
    #expect(EventLoop.shared.steps - before >= 10)
    #expect(scenes.allSatisfy { $0.engine.closings.first == "all" })
    await withCheckedContinuation { continuation in changes.whenFollowed { continuation.resume() } }
    #expect(scenes.allSatisfy { $0.engine.closings == ["all", "idle"] })
    #expect(changes.after(0).isEmpty && changes.last == 2)
  }

  @Test @ReactorActor func aConnectionLeavesManySessionsInSteps() async {
    let (_, scenes) = slow(50, isNamed: false)
    for scene in scenes { scene.delegate(1) }
    let before = EventLoop.shared.steps
    let taker = EventLoop.shared.taker(of: 1)
    let peer = PeerIdentifier(1)
    SessionDriver.owe(.remove(peer), in: scenes.map { $0.session }, inTurnsOf: taker)
    // Nothing goes to it from now on.
    #expect(!scenes[49].session.isOver)
    #expect(!scenes[49].session.ask { state in state.board.roster.isHolder(peer) })
    var turns = 0
    while !scenes.allSatisfy({ $0.session.isOver }), turns < 1000 {
      turns += 1
      await withCheckedContinuation { continuation in taker.add { continuation.resume() } }
    }
    #expect(scenes.allSatisfy { $0.told.last == "session finished" && $0.engine.isShutDown })
    #expect(EventLoop.shared.steps - before >= 10)
  }

  @Test @ReactorActor func aSessionThatHasEndedHasNothingToDo() {
    let scene = filled()
    scene.session.owe(.forget)
    scene.session.invalidate(.invalidated)
    #expect(scene.session.due.isEmpty)
    #expect(scene.told.last == "session invalidated")
  }

  /// A connection whose leaving is due has left.
  @Test @ReactorActor func whoIsLeavingIsNotToldOfTheEnd() {
    let scene = SessionScene()
    for peer: UInt64 in 1...3 { scene.delegate(peer) }
    scene.session.owe(.forget)
    scene.session.owe(.remove(PeerIdentifier(2)))
    scene.session.invalidate(.invalidated)
    #expect(scene.told.contains("ending for [1, 3]"))
  }

  /// One that needs more steps than one keeps the others waiting, and leaves none of them out.
  @Test @ReactorActor func aSessionThatNeedsLongIsFollowedByTheOthers() async {
    let scenes = (0..<3).map { _ in SessionScene() }
    for scene in scenes { scene.delegate(1) }
    for _ in 0..<300 { _ = scenes[0].begin() }
    for exchange in scenes[0].engine.exchanges { exchange.respond(401, Self.basic) }
    let sessions = scenes.map(\.session!)
    while !EventLoop.shared.isStepOver {}
    SessionDriver.owe(.remove(PeerIdentifier(1)), in: sessions, inTurnsOf: EventLoop.shared.taker(of: 1))
    #expect(sessions[0].isBehind && !sessions[2].holdsNothing)
    await DaemonScene.until { sessions.allSatisfy(\.holdsNothing) }
  }
}
