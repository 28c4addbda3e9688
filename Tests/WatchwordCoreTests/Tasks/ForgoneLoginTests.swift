import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Logins that another task has made count once, and what a task does after them (methods.md 16.6).
struct ForgoneLoginTests {
  private static let html = [HeaderField("Content-Type", "text/html")]
  private static let text = [HeaderField("Content-Type", "text/plain")]
  private static let space = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .htmlForm)
  private static let found = PageReading(
    isSelected: true,
    form: .usable(LoginForm(action: nil, entries: [.user(name: "u"), .password(name: "p")])))

  private var memory = SessionMemory()

  private static func scene(_ number: UInt64 = 1) -> TaskScene {
    var scene = TaskScene()
    scene.number = number
    scene.forms = [
      FormRule(
        page: TaskScene.url(), isPrefix: false, when: FormRule.Condition(), userField: "u",
        passwordField: "p", success: FormRule.Condition())
    ]
    return scene
  }

  private mutating func page(_ scene: inout TaskScene) {
    scene.head(200, Self.html, memory)
    scene.readPage(Self.found, memory)
    scene.endAlone(nil, memory)
  }

  @Test mutating func aTaskThatWaitedForALoginHasMadeNone() {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var (first, second) = (Self.scene(1), Self.scene(2))
    first.begin(memory)
    second.begin(memory)
    page(&first)
    page(&second)
    page(&first)
    first.head(204, [], memory)
    first.endAlone(nil, memory)
    #expect(memory.logins == [TaskScene.origin: 1])
    first.head(200, Self.text, memory)
    first.endAlone(nil, memory)
    #expect(memory.turns.takeGranted().map(\.number) == [2])
    second.turnCame(memory)
    #expect(second.isExchanging && memory.logins == [TaskScene.origin: 1])
    second.head(200, Self.text, memory)
    #expect(second.report == nil)
  }

  /// The task that tried the answer has logged in for all that waited with it.
  @Test mutating func aTaskThatWaitedForTheSameAnswerHasMadeNone() {
    var scene = Self.scene()
    scene.begin(memory)
    page(&scene)
    #expect(scene.question?.space == Self.space)
    scene.answer(.useStored, memory)
    #expect(scene.isExchanging && scene.sent?.form == nil && memory.logins.isEmpty)
  }

  /// A redirect that leads down is asked about or followed, whatever the session's own setting is.
  @Test func theWidestPolicyFollowsEverything() {
    let scene = TaskScene()
    let head = ResponseHead(status: 302, headers: [HeaderField("Location", "x")])
    let decision = scene.machine.widestDecision(head) { _, _ in
      .resolved(TaskScene.url("/n", scheme: .http))
    }
    let isRefused = if case .refuse = decision { true } else { false }
    #expect(!isRefused)
  }

  // MARK: Other answers

  @Test mutating func aSourceThatFailsIsNotAskedAgainByTheTask() {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question != nil)
    let failure = SourceFailure("pages", .empty)
    scene.answer(.sourceFailed(failure), memory)
    #expect(scene.question == nil && scene.failure == .authentication(.source(failure)))
  }

  /// The URL of an origin speaks for itself: what the session has of the same user is not tried after it.
  @Test mutating func theSessionsCredentialIsNotTriedAfterTheURLs() {
    memory.store(TaskScene.password("right"), for: TaskScene.space(), owner: 1, now: 0)
    let userinfo = RequestURL.Userinfo(user: "joe", password: TaskScene.secret("wrong"))
    var scene = TaskScene(TaskScene.url(userinfo: userinfo))
    scene.begin(memory)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.authorization != nil && scene.question == nil)
    scene.refuse(TaskScene.basic(), with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  /// The others wait from the moment at which the request has its connection.
  @Test mutating func theWaitBeginsWithTheConnection() {
    memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    var scenes: [TaskScene] = []
    for number: UInt64 in 1...2 {
      var scene = TaskScene()
      scene.number = number
      scene.connects = false
      scene.begin(memory)
      scene.refuse(TaskScene.basic(), with: memory)
      scenes.append(scene)
    }
    #expect(scenes.map(\.isExchanging) == [true, false])
    #expect(memory.trials.nextDeadline == TrialPace.waitSeconds)
    scenes[0].now = 5
    scenes[0].connect(memory)
    #expect(memory.trials.nextDeadline == 5 + TrialPace.waitSeconds)
  }
}
