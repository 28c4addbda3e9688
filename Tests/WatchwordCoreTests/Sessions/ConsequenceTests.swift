import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// An event for many tasks or challenges serves some of them, and `goOn` the others, in order.
struct ConsequenceTests {
  private static let served = 4

  private func scene() -> SessionScene {
    var scene = SessionScene(servedTogether: Self.served)
    scene.delegate(1, [.basic, .agentUnlock])
    return scene
  }

  /// Tasks that begin, each of them refused; `realm` is that of its number.
  private func refuse(_ count: Int, _ scene: inout SessionScene, realm: (Int) -> String = { _ in "r" })
    -> [SessionTask]
  {
    var tasks: [SessionTask] = []
    for number in 0..<count {
      let task = scene.begin()
      scene.refuse("Basic realm=\"\(realm(number))\"", task)
      scene.now += 1
      tasks.append(task)
    }
    return tasks
  }

  private func credential(_ persistence: Persistence) -> Credential {
    Credential(.password(user: "joe", password: TaskScene.secret("x")), persistence: persistence)
  }

  private func goOn(_ scene: inout SessionScene) -> [String] {
    scene.take { $0.goOn() }
    return scene.names
  }

  @Test func anAnswerForManyIsGivenInSteps() throws {
    var scene = scene()
    _ = refuse(9, &scene)
    try scene.reply("c1", .cancelAuthenticationChallenge)
    let ended = { (numbers: ClosedRange<Int>) in
      numbers.flatMap { ["endWait \($0)", "finish \($0) userCancelled"] }
    }
    #expect(scene.names == ["settled c1 answered"] + ended(1...4))
    #expect(scene.isBehind == true)
    #expect(goOn(&scene) == ended(5...8))
    #expect(goOn(&scene) == ended(9...9))
    #expect(scene.isBehind == false)
    #expect(goOn(&scene) == [])
  }

  @Test func aCredentialThatManyWaitForIsSentInSteps() throws {
    var scene = scene()
    let tasks = refuse(7, &scene)
    try scene.reply("c1", .useCredential, credential(.forSession))
    #expect(scene.authorizations.count == 1)
    scene.respond(200, to: tasks[0])
    #expect(scene.authorizations.count == 4)
    // One comes later, and needs no answer.
    let late = scene.begin()
    #expect(scene.names == ["send 8"])
    scene.respond(200, to: late)
    #expect(goOn(&scene).filter { $0.hasPrefix("send") } == ["send 6", "send 7"])
  }

  @Test func aCredentialThatManyHaveChosenIsSentInSteps() {
    var scene = scene()
    let space = ProtectionSpace(
      origin: TaskScene.url().origin, realm: OctetString("r"), authenticationMethod: .basic)
    scene.take { $0.store(credential(.forSession), for: [space], isDefault: true, owner: nil) }
    let tasks = (0..<7).map { _ in scene.begin() }
    for task in tasks {
      scene.refuse(TaskScene.basic(), task)
      if task === tasks[0] { #expect(scene.authorizations.count == 1) }
    }
    #expect(scene.authorizations == [])
    scene.respond(200, to: tasks[0])
    #expect(scene.authorizations.count == 4)
    _ = goOn(&scene)
    #expect(scene.authorizations.count == 2 && scene.isBehind == false)
  }

  @Test func whoEndsMeanwhileIsNotServed() throws {
    var scene = scene()
    let tasks = refuse(7, &scene)
    try scene.reply("c1", .cancelAuthenticationChallenge)
    scene.take { $0.stop(tasks[4], .cancelled) }
    scene.take { $0.remove(tasks[5]) }
    #expect(goOn(&scene) == ["endWait 7", "finish 7 userCancelled"])
  }

  @Test func theTasksOfAConnectionEndInSteps() {
    var scene = scene()
    let tasks = (0..<6).map { _ in scene.begin() }
    scene.take { $0.remove(PeerIdentifier(1)) }
    var ended = scene.names
    #expect(ended.count == 4)
    // What comes for them counts no more.
    for task in tasks {
      scene.respond(200, to: task)
      #expect(scene.names == [])
    }
    ended += goOn(&scene)
    #expect(ended.sorted() == (1...6).map { "stop \($0) cancelled" })
    #expect(scene.isBehind == false)
  }

  @Test func whoHasEndedMeanwhileDoesNotEndTwice() {
    var scene = scene()
    let tasks = (0..<6).map { _ in scene.begin() }
    scene.take { $0.remove(PeerIdentifier(1)) }
    for task in tasks { scene.take { $0.remove(task) } }
    #expect(goOn(&scene) == [])
  }

  @Test func theTasksOfARestrictionEndInSteps() throws {
    var scene = scene()
    let identifier = RestrictionIdentifier(1)
    let path = try #require(PathPattern(TaskScene.url("/"), isPrefix: true))
    let rule = RestrictionRule(methods: ["GET"], origin: TaskScene.url().origin, path: path)
    scene.state.add(Restriction([rule], now: 0), as: identifier)
    scene.take { $0.restrict(PeerIdentifier(1), by: identifier) }
    for _ in 0..<6 { _ = scene.begin() }
    scene.take { $0.expire(identifier) }
    #expect(scene.names.count == 4 && scene.records.count == 4)
    #expect(goOn(&scene).count == 2 && scene.records.count == 2)
  }

  @Test func anotherDelegateIsAskedInSteps() {
    var scene = scene()
    scene.delegate(2)
    _ = refuse(6, &scene) { "r\($0)" }
    let asked = scene.state.board.pending.compactMap(\.asked.last?.number)
    let other: UInt64 = asked[0] == 1 ? 2 : 1
    #expect(Set(asked) == [asked[0]])
    scene.take {
      $0.register(PeerIdentifier(asked[0]), interest: .nothing)
    }
    #expect(scene.notices == (1...4).map { "c\($0) to \(other)" })
    // One is answered before its turn.
    scene.take { state in
      let accepted = try? state.reply(
        "c5", by: PeerIdentifier(other), .disposition(.cancelAuthenticationChallenge, nil))
      return accepted?.1 ?? []
    }
    #expect(scene.names == ["settled c5 answered"])
    #expect(goOn(&scene) == ["notify \(other) c6", "endWait 5", "finish 5 userCancelled"])
  }

  @Test func deadlinesAreDueInSteps() {
    var scene = scene()
    _ = refuse(6, &scene) { "r\($0)" }
    scene.now += 10_000
    scene.take { $0.tick() }
    let settled = { (scene: borrowing SessionScene) in scene.names.filter { $0.hasSuffix("deadline") } }
    #expect(settled(scene).count == 4)
    #expect(scene.nextDeadline ?? .infinity <= scene.now)
    scene.take { $0.tick() }
    #expect(settled(scene).count == 2)
    #expect(scene.nextDeadline == nil)
  }

  // MARK: The lock

  @Test func aLockTakesTheCredentialFromThoseWhoAreNotServedYet() throws {
    var scene = scene()
    let tasks = refuse(7, &scene)
    try scene.reply("c1", .useCredential, credential(.none))
    scene.respond(200, to: tasks[0])
    #expect(scene.authorizations.count == 4)
    scene.take { $0.lock() }
    let hasNone = scene.state.consequences.allSatisfy {
      if case .answer(_, .useStored) = $0 { true } else { false }
    }
    #expect(hasNone)
    _ = goOn(&scene)
    #expect(scene.isBehind == false && scene.authorizations == [])
    scene.take { $0.unlock(isByReply: false) }
    while scene.isBehind { _ = goOn(&scene) }
    // They ask again.
    #expect(scene.state.board.pendingCount == 1)
    #expect(scene.state.board.waitingCount == 2)
  }

  @Test func aLockHoldsManyInSteps() {
    var scene = scene()
    _ = refuse(6, &scene)
    scene.take { $0.lock() }
    #expect(scene.names.contains("notify 1 c2"))
    #expect(scene.state.board.waitingCount == 4)
    _ = goOn(&scene)
    #expect(scene.state.board.waitingCount == 6)
    #expect(scene.isBehind == false)
  }

  @Test func anUnlockLetsThoseGoOnThatWereNotHeldYet() {
    var scene = scene()
    _ = refuse(6, &scene)
    scene.take { $0.lock() }
    scene.take { $0.unlock(isByReply: false) }
    while scene.isBehind { _ = goOn(&scene) }
    #expect(scene.state.board.pendingCount == 1)
    #expect(scene.state.board.waitingCount == 6)
    let isAnyHeld = scene.state.tasks.values.contains(where: \.isHeld)
    #expect(!isAnyHeld)
  }
}
