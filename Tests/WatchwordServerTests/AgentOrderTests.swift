import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordSecret
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What the agent has every session do counts as done at once, and is done later (storage.md 9.8.5).
@Suite(.serialized) struct AgentOrderTests {
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
    #expect(scene.session.ask { state, _ in state.credentials.count } == 0)
    #expect(scene.engine.cookies.heldBytes == 0)
    scene.session.carryOutWhatIsDue()
    #expect(scene.told == Self.filling + ["credential removed"])
  }

  @Test(arguments: [nil, AgentOrder.forget])
  @ReactorActor func aTaskThatBeginsMeanwhileCarriesNothing(_ order: AgentOrder?) {
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
    #expect(scene.session.state.credentials.count == 0)
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
    scene.session.take { $0.store(credential, for: [space], isDefault: true, owner: nil, at: $1) }
    #expect(scene.told == Self.filling + ["credential removed", "credential added"])
    #expect(scene.session.state.credentials.count == 1)
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

  @Test @ReactorActor func aSessionThatHasEndedHasNothingToDo() {
    let scene = filled()
    scene.session.owe(.forget)
    scene.session.invalidate(.invalidated)
    #expect(scene.session.due.isEmpty)
    #expect(scene.told.last == "session invalidated")
  }
}
