import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Tasks that wait for others, whatever becomes of these.
struct SessionTurnTests {
  private static func store(in scene: inout SessionScene, realm: String = "r") {
    let space = TaskScene.space(realm)
    scene.take { $0.store(TaskScene.password("x"), for: [space], isDefault: true, owner: nil) }
  }

  /// The server's verdict on the first one sets the others free, however often.
  @Test func eachVerdictLetsTheNextOnesGo() {
    var scene = SessionScene()
    for realm in ["r", "s", "t"] {
      Self.store(in: &scene, realm: realm)
      let (first, second) = (scene.add(), scene.add())
      for task in [first, second] {
        scene.take { $0.handle(.begin, of: task) }
        scene.refuse(TaskScene.basic(realm), task)
      }
      #expect(!scene.names.contains { $0.hasPrefix("send") })
      scene.respond(200, to: first)
      #expect(scene.names.contains("send \(second.identifier.number)"), "\(realm): \(scene.names)")
      scene.respond(200, to: second)
    }
  }

  /// A task that is ended leaves its try to the next one.
  @Test func aTaskThatIsEndedLetsTheNextOneGo() {
    var scene = SessionScene()
    Self.store(in: &scene)
    let (first, second) = (scene.begin(), scene.begin())
    for task in [first, second] { scene.refuse(TaskScene.basic(), task) }
    #expect(!scene.names.contains { $0.hasPrefix("send") })
    scene.state.end(first, .cancelled)
    scene.take { $0.goOn() }
    #expect(scene.names.contains("stop 1 cancelled"))
    #expect(scene.names.contains("send 2"), "\(scene.names)")
  }

  /// Nobody is asked to unlock the agent for a task that has ended.
  @Test func aTaskThatHasEndedIsNotHeldByTheLock() {
    var scene = SessionScene()
    scene.delegate(1, [.agentUnlock])
    scene.take { $0.lock() }
    let task = scene.add()
    scene.take { $0.stop(task, .cancelled) }
    scene.take { $0.handle(.begin, of: task) }
    #expect(scene.names == ["stop 1 cancelled"] && !task.isHeld)
  }

  /// What is sent without a credential shares no nonce with anybody.
  @Test func aRequestWithoutACredentialSharesNoNonce() {
    var scene = SessionScene()
    let task = scene.begin()
    for method in [AuthenticationMethod.basic, .digest] {
      #expect(!task.machine.sharesNonce(of: TaskScene.space("r", method)))
    }
  }

  // MARK: What a task shows

  /// A login page that nobody could fill in is the result, and no resource.
  @Test func eitherOfTwoReasonsMakesItALoginPage() {
    var scene = SessionScene()
    let task = scene.begin()
    #expect(!task.machine.isLoginPage)
    task.machine.forms.isRefusal = true
    #expect(task.machine.isLoginPage)
    task.machine.forms.isRefusal = false
    task.machine.forms.lacksField = true
    #expect(task.machine.isLoginPage)
  }

  /// The body of a response is hashed only while something depends on it.
  @Test(arguments: [false, true]) func aResponseIsHashedUntilItHasProvedItself(withProxy: Bool) throws {
    var scene = SessionScene()
    let offer = "Digest realm=\"r\", qop=\"auth-int\", algorithm=SHA-256, nonce=\"i\""
    let space = TaskScene.space("r", .digest)
    scene.take { $0.store(TaskScene.password("x"), for: [space], isDefault: true, owner: nil) }
    let task = scene.begin()
    #expect(task.machine.responseHash == nil)
    scene.refuse(offer, task)
    #expect(scene.names.contains("send 1"), "\(scene.names)")
    if withProxy { _ = task.machine.machine(at: .proxy) }
    _ = scene.state.authorization(of: task)
    let head = ResponseHead(
      status: 200, headers: [HeaderField("Authentication-Info", "qop=auth-int, rspauth=\"00\"")])
    scene.take { $0.handle(.received(head), of: task) }
    #expect(task.machine.responseHash == .sha256)
  }
}
