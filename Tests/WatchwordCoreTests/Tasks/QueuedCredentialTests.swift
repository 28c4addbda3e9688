import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A stale password that many tasks have chosen: one of them tries it (challenges.md 12.8), and no request
/// that waits for a connection carries what was refused meanwhile (8.1 and 15.7).
struct QueuedCredentialTests {
  private static let tasks = 100
  /// Requests that are on their connections when the first one is refused.
  private static let inFlight = 6

  enum Place: CaseIterable {
    case vault
    case netrc
    case urlOfOrigin
    case urlOfProxy
    case replyForTasks
  }

  private static let proxyURL = TaskScene.url(
    "/", host: "proxy.example", scheme: .http,
    userinfo: RequestURL.Userinfo(user: "joe", password: TaskScene.secret("x")))

  private var memory = SessionMemory()

  private static func challenge(_ method: AuthenticationMethod) -> String {
    switch method {
    case .digest: TaskScene.digest("n")
    case .bearer: "Bearer realm=\"r\""
    default: TaskScene.basic()
    }
  }

  private static func credential(
    _ method: AuthenticationMethod, _ persistence: Persistence = .none
  ) -> Credential {
    method == .bearer
      ? Credential(.token(TaskScene.secret("x")), persistence: persistence)
      : TaskScene.password("x", persistence)
  }

  private mutating func prepare(_ place: Place, _ method: AuthenticationMethod) throws {
    switch place {
    case .vault:
      let change = PermanentCredentials.Change.store(
        Self.credential(method, .permanent), for: [TaskScene.space("r", method)], isDefault: true, over: [])
      _ = memory.permanent.apply(try memory.permanent.plan(change, now: 0))
    case .netrc:
      memory.netrc = NetrcStore(try Netrc(text: TaskScene.secret("machine a.example login joe password x")))
    case .urlOfOrigin, .urlOfProxy, .replyForTasks: break
    }
  }

  private static func scene(_ place: Place, _ number: Int) -> TaskScene {
    var rules: ProxyRules?
    if place == .urlOfProxy {
      var proxies = ProxyRules(.session)
      proxies.http = ProxyRules.Setting(name: "http", proxy: Proxy(.http, url: proxyURL))
      rules = proxies
    }
    let userinfo = place == .urlOfOrigin ? proxyURL.userinfo : nil
    var scene = TaskScene(
      TaskScene.url(scheme: place == .urlOfProxy ? .http : .https, userinfo: userinfo), proxies: rules)
    scene.number = UInt64(number)
    scene.connects = false
    scene.askable = place == .replyForTasks ? [.basic, .digest, .bearer] : []
    return scene
  }

  /// What the request carries that has its connection now.
  private static func carried(_ scene: TaskScene) -> String? {
    scene.authorization ?? scene.proxyAuthorization
  }

  private mutating func refuse(_ scene: inout TaskScene, _ place: Place, _ method: AuthenticationMethod) {
    if place == .urlOfProxy {
      scene.refuseAtProxy(Self.challenge(method), with: memory)
    } else {
      scene.refuse(Self.challenge(method), with: memory)
    }
  }

  private static let combinations: [(Place, AuthenticationMethod)] = Place.allCases.flatMap { place in
    [AuthenticationMethod.basic, .digest, .bearer]
      .filter { $0 != .bearer || place == .vault || place == .replyForTasks }.map { (place, $0) }
  }

  /// Tells the tasks that wait no longer for the one that tries the credential.
  private mutating func giveTurns(_ scenes: inout [TaskScene]) {
    for task in memory.trials.takeGranted() { scenes[Int(task.number) - 1].turnCame(memory) }
  }

  @Test(arguments: combinations.filter { $0.0 != .replyForTasks })
  mutating func oneTaskTriesAStaleSecret(_ place: Place, _ method: AuthenticationMethod) throws {
    try prepare(place, method)
    var scenes = (1...Self.tasks).map { Self.scene(place, $0) }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].connect(memory)
    }
    // The refusals of some arrive after that of the password.
    for index in scenes.indices.dropLast(10) { refuse(&scenes[index], place, method) }
    #expect(scenes.filter(\.isExchanging).count == 11)
    scenes[0].connect(memory)
    #expect(Self.carried(scenes[0]) != nil)
    refuse(&scenes[0], place, method)
    giveTurns(&scenes)
    for index in scenes.indices.suffix(10) { refuse(&scenes[index], place, method) }
    #expect(scenes.allSatisfy { $0.machine.phase == .finished })
  }

  @Test(arguments: combinations.filter { $0.0 != .replyForTasks })
  mutating func allUseWhatOneWasAcceptedWith(_ place: Place, _ method: AuthenticationMethod) throws {
    try prepare(place, method)
    var scenes = (1...Self.tasks).map { Self.scene(place, $0) }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].connect(memory)
      refuse(&scenes[index], place, method)
    }
    scenes[0].connect(memory)
    scenes[0].succeed(with: memory)
    giveTurns(&scenes)
    for index in scenes.indices.dropFirst() {
      scenes[index].connect(memory)
      #expect(Self.carried(scenes[index]) != nil)
    }
  }

  @Test(arguments: combinations.filter { $0.0 == .replyForTasks })
  mutating func onlyWhatIsInFlightCarriesAStaleSecret(_ place: Place, _ method: AuthenticationMethod) throws {
    try prepare(place, method)
    var scenes = (1...Self.tasks).map { Self.scene(place, $0) }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].connect(memory)
      refuse(&scenes[index], place, method)
      scenes[index].answer(.useCredential(Self.credential(method)), memory)
    }
    var carrying = 0
    for index in 0..<Self.inFlight {
      scenes[index].connect(memory)
      carrying += Self.carried(scenes[index]) == nil ? 0 : 1
    }
    for index in scenes.indices {
      if index >= Self.inFlight {
        scenes[index].connect(memory)
        carrying += Self.carried(scenes[index]) == nil ? 0 : 1
      }
      refuse(&scenes[index], place, method)
    }
    #expect(carrying == Self.inFlight)
    // Each has come to an end: a question, or the refusal.
    #expect(scenes.filter { $0.sent == nil }.count == Self.tasks)
  }

  @Test(arguments: [AuthenticationMethod.basic, .digest])
  mutating func aLaterTaskDoesNotTryTheRefusedUserinfoOfAProxy(_ method: AuthenticationMethod) {
    var first = Self.scene(.urlOfProxy, 1)
    first.begin(memory)
    first.connect(memory)
    refuse(&first, .urlOfProxy, method)
    first.connect(memory)
    #expect(Self.carried(first) != nil)
    refuse(&first, .urlOfProxy, method)
    var later = Self.scene(.urlOfProxy, 2)
    later.begin(memory)
    later.connect(memory)
    refuse(&later, .urlOfProxy, method)
    #expect(later.sent == nil && later.failure != nil)
    // Until the session forgets.
    memory.removeAll()
    var last = Self.scene(.urlOfProxy, 3)
    last.begin(memory)
    last.connect(memory)
    refuse(&last, .urlOfProxy, method)
    last.connect(memory)
    #expect(Self.carried(last) != nil)
  }

  @Test mutating func aReplyMayGiveARefusedCredentialAgain() {
    var scenes = [Self.scene(.replyForTasks, 1), Self.scene(.replyForTasks, 2)]
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].refuse(TaskScene.basic(), with: memory)
      scenes[index].answer(.tryCredential(Self.credential(.basic)), memory)
      scenes[index].connect(memory)
      #expect(Self.carried(scenes[index]) != nil)
      scenes[index].refuse(TaskScene.basic(), with: memory)
    }
  }

  @Test mutating func aRequestThatIsWrittenTwiceIsOneUse() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var scene = Self.scene(.replyForTasks, 1)
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none, limits: limits)), memory)
    for _ in 0..<2 {
      scene.connect(memory)
      #expect(Self.carried(scene) != nil)
    }
  }
}
