import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a login by form sends, and what its answer means (methods.md 16).
struct FormLoginTests {
  private static let html = [HeaderField("Content-Type", "text/html")]
  private static let text = [HeaderField("Content-Type", "text/plain")]
  private static let space = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .htmlForm)

  private var memory = SessionMemory()

  private static func found(action: String? = nil) -> PageReading {
    let form = LoginForm(action: action, entries: [.user(name: "u"), .password(name: "p")])
    return PageReading(isSelected: true, form: .usable(form))
  }

  private static func rule(
    at url: RequestURL = TaskScene.url(), success: FormRule.Condition = FormRule.Condition()
  ) -> FormRule {
    FormRule(
      page: url, isPrefix: false, when: FormRule.Condition(), userField: "u", passwordField: "p",
      success: success)
  }

  private static func scene(
    _ number: UInt64 = 1, rule: FormRule = rule(), method: String = "GET", headers: [HeaderField] = [],
    body: RequestStep.Body = .none, redirects: RedirectPolicy = RedirectPolicy(), budget: Int = 5
  ) -> TaskScene {
    var scene = TaskScene(method: method, headers: headers, body: body, budget: budget, redirects: redirects)
    scene.number = number
    scene.forms = [rule]
    return scene
  }

  /// The response is a page with this form.
  private mutating func page(_ scene: inout TaskScene, _ reading: PageReading = found(), _ status: Int = 200)
  {
    scene.head(status, Self.html, memory)
    scene.readPage(reading, memory)
    if !scene.effects.contains(where: { if case .finish = $0 { true } else { false } }) {
      scene.endAlone(nil, memory)
    }
  }

  /// A task whose form is on its way, filled in with what a delegate has answered.
  private mutating func posted(
    _ scene: TaskScene = scene(), _ reading: PageReading = found(), password: String = "x"
  ) -> TaskScene {
    var scene = scene
    scene.begin(memory)
    page(&scene, reading)
    #expect(scene.question?.space == Self.space)
    scene.answer(.tryCredential(TaskScene.password(password)), memory)
    if scene.sent?.form == nil { page(&scene, reading) }
    #expect(scene.sent?.method == "POST" && scene.sent?.form != nil)
    return scene
  }

  @Test mutating func aProxyThatRefusesTheRequestAfterALoginHasNoFormPostedAgain() {
    let url = TaskScene.url(scheme: .http)
    var rules = ProxyRules(.session)
    let proxy = Origin(scheme: .http, host: "p.example", port: 3128)
    rules.all = ProxyRules.Setting(
      name: "all", proxy: Proxy(.http, url: RequestURL(origin: proxy, path: "/", query: nil)))
    var scene = TaskScene(url, proxies: rules)
    scene.forms = [Self.rule(at: url)]
    scene.begin(memory)
    page(&scene)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    if scene.sent?.form == nil { page(&scene) }
    #expect(scene.sent?.method == "POST")
    scene.succeed(200, Self.text, with: memory)
    #expect(scene.sent?.method == "GET")
    scene.refuseAtProxy(TaskScene.basic("corp"), with: memory)
    scene.answer(.useCredential(TaskScene.password("proxy")), memory)
    #expect(scene.sent?.method == "GET" && scene.sent?.form == nil)
    #expect(scene.proxyAuthorization != nil)
  }

  // MARK: Success

  /// The rule's `success`, the answer's status, whether its selector matches, and whether the login has succeeded (16.7).
  @Test mutating func theRuleSaysWhichAnswerIsASuccess() {
    let selector = Selector("#menu")
    let answers: [(Int?, Selector?, Int, isSelected: Bool, Bool)] = [
      (nil, nil, 200, false, true), (nil, nil, 399, false, true), (nil, nil, 400, true, false),
      (200, nil, 200, false, true), (200, nil, 404, true, false), (404, nil, 404, false, true),
      (nil, selector, 404, true, true), (nil, selector, 200, false, false),
      (200, selector, 200, true, true), (200, selector, 200, false, false),
      (200, selector, 404, true, false), (500, nil, 500, false, true), (500, selector, 500, false, false),
    ]
    for (status, selector, answer, isSelected, isSuccess) in answers {
      memory = SessionMemory()
      let condition = FormRule.Condition(status: status, selector: selector)
      var scene = posted(Self.scene(rule: Self.rule(success: condition)))
      page(&scene, PageReading(isSelected: isSelected, form: nil), answer)
      let explained = "\(condition) \(answer) \(isSelected)"
      #expect((scene.sent?.method == "GET" && scene.sent?.form == nil) == isSuccess, "\(explained)")
      #expect((scene.question?.previousFailureCount == 1) == !isSuccess, "\(explained)")
      #expect(scene.machine.forms.isRefusal == !isSuccess, "\(explained)")
    }
  }

  /// Which answers need not be read to know that the login has succeeded.
  @Test mutating func theStatusOfASuccessIsEnoughWithoutAPage() {
    let location = [HeaderField("Location", "a.example")]
    let answers: [(Int?, Selector?, Int, [HeaderField], String)] = [
      (303, nil, 303, location, "beginAgain"), (303, nil, 303, location + Self.html, "beginAgain"),
      (303, Selector("a"), 303, location, "followLogin"), (302, nil, 303, location, "followLogin"),
      (nil, nil, 303, location, "followLogin"), (200, nil, 200, Self.text, "beginAgain"),
      (200, nil, 200, Self.html, "readPage"), (200, Selector("a"), 200, Self.html, "readPage"),
      (nil, nil, 503, Self.html, "finish"), (503, nil, 503, Self.html, "readPage"),
      (nil, nil, 500, Self.html, "finish"), (nil, nil, 499, Self.html, "readPage"),
    ]
    for (status, selector, answer, fields, expected) in answers {
      memory = SessionMemory()
      let condition = FormRule.Condition(status: status, selector: selector)
      var scene = posted(Self.scene(rule: Self.rule(success: condition)))
      scene.head(answer, fields, memory)
      let phase = TaskStateMachineTableTests.name(scene.machine.phase)
      #expect(phase == "receiving \(expected)", "\(condition) \(answer) \(fields)")
    }
  }

  @Test(arguments: [0, 1, 3]) mutating func anAnswerIsFollowedUpToTheLimitOfTheSession(_ limit: Int) {
    var redirects = RedirectPolicy()
    redirects.limit = limit
    var scene = posted(Self.scene(redirects: redirects))
    var followed = 0
    while scene.failure == nil, followed < 100 {
      scene.head(302, [HeaderField("Location", "a.example")], memory)
      guard scene.failure == nil else { break }
      scene.endAlone(nil, memory)
      #expect(scene.sent?.url == TaskScene.url("/n") && scene.sent?.method == "GET")
      followed += 1
    }
    #expect(followed == limit && scene.failure == .redirect(.tooManyRedirects))
  }

  @Test(arguments: [(499, "accepted"), (500, "inconclusive")])
  mutating func anErrorOfTheServersOwnAfterALoginSaysNothing(_ status: Int, _ report: String) {
    var scene = posted()
    scene.head(204, [], memory)
    scene.endAlone(nil, memory)
    #expect(scene.sent?.form == nil)
    scene.head(status, Self.text, memory)
    #expect(scene.report.map { "\($0)".prefix { $0 != "(" } } ?? "-" == report)
  }

  @Test mutating func refusedFormsCountAsRefusalsOfTheTask() {
    var scene = posted(Self.scene(budget: 1000))
    var refused = 0
    while refused < 1000 {
      page(&scene)
      refused += 1
      guard scene.question != nil else { break }
      scene.answer(.tryCredential(TaskScene.password("x\(refused)")), memory)
      page(&scene)
    }
    #expect(refused == AuthenticationStateMachine.roundLimit && scene.isDelivered)
  }

  // MARK: What is sent

  @Test mutating func theCallersFieldsAboutItsOwnRequestAreNotPosted() {
    let names = [
      "Accept", "Content-Language", "If-Match", "if-none-match", "Range", "Expect", "Trailer", "Digest",
      "Repr-Digest", "Origin", "Referer", "Transfer-Encoding", "Contents", "Iffy",
    ]
    let scene = posted(Self.scene(headers: names.map { HeaderField($0, "x") }))
    #expect(
      scene.sent?.headers.map(\.name)
        == ["Accept", "Contents", "Iffy", "Content-Type", "Origin", "Referer"])
  }

  @Test mutating func aFormIsPostedToTheOriginOfItsPage() {
    let actions: [(String?, RequestURL?)] = [
      (nil, TaskScene.url()), ("", TaskScene.url()), ("a.example", TaskScene.url("/n")), ("b.example", nil),
    ]
    for (action, target) in actions {
      memory = SessionMemory()
      var scene = Self.scene()
      scene.begin(memory)
      page(&scene, Self.found(action: action))
      #expect((scene.failure == .authentication(.loginForm(.otherOrigin))) == (target == nil))
      guard let target else { continue }
      scene.answer(.tryCredential(TaskScene.password("x")), memory)
      page(&scene, Self.found(action: action))
      #expect(scene.sent?.url == target && scene.sent?.method == "POST", "\(action ?? "-")")
    }
  }

  @Test(arguments: ["a.example?next=1", "a.example#top", "a.example"])
  mutating func theQuestionNamesWhereTheFormLeadsWithoutAQuery(_ action: String) {
    var scene = Self.scene()
    scene.begin(memory)
    page(&scene, Self.found(action: action))
    let parameters = scene.question?.offers.first?.parameters
    #expect(parameters?.map(\.name) == ["page", "action"])
    #expect(parameters?.map(\.value) == [OctetString(TaskScene.url().text), "a.example"])
  }

  /// The page of a POST is not fetched again: that would repeat the task's own request.
  @Test(arguments: ["GET", "POST"]) mutating func aPageIsFetchedOnceMoreUnlessThatRepeatsARequest(
    _ method: String
  ) {
    var scene = Self.scene(method: method, body: method == "GET" ? .none : .replayable)
    scene.begin(memory)
    page(&scene)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect((scene.sent?.form != nil) == (method == "POST") && scene.sent?.isAuthorizedLate == false)
  }

  /// While a task keeps its turn, no other one can come between.
  @Test mutating func theFormOfARefusalIsFilledInWithoutFetchingItsPageAgain() throws {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    let change = PermanentCredentials.Change.store(
      TaskScene.password("y", user: "ann", .permanent), for: [Self.space], isDefault: true, over: [])
    _ = memory.permanent.apply(try memory.permanent.plan(change, now: 0))
    var scene = Self.scene()
    scene.askable = []
    scene.begin(memory)
    page(&scene)
    #expect(scene.sent?.form == nil && scene.isExchanging)
    page(&scene)
    let first = scene.sent?.form
    #expect(first != nil)
    page(&scene)
    #expect(scene.sent?.form != nil && scene.sent?.form != first)
    page(&scene)
    #expect(scene.isDelivered)
  }

  // MARK: Which requests

  @Test(arguments: ["GET", "HEAD"]) mutating func aHEADRequestMeetsNoForm(_ method: String) {
    var scene = Self.scene(method: method)
    scene.begin(memory)
    scene.head(200, Self.html, memory)
    #expect((scene.fate == .deliver) == (method == "HEAD"))
  }

  @Test mutating func anAuthenticatedConnectionMeetsNoForm() {
    let space = ProtectionSpace(origin: TaskScene.origin, realm: nil, authenticationMethod: .negotiate)
    memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    var scene = Self.scene()
    scene.begin(memory)
    scene.head(401, Self.text + [HeaderField("WWW-Authenticate", "Negotiate")], memory)
    scene.end(memory)
    scene.make("token", memory)
    scene.head(200, Self.html, memory)
    #expect(scene.fate == .deliver)
  }

  /// A part does not show what the page is (16.2).
  @Test mutating func aPartOfThePageIsFetchedWhole() {
    let range = [HeaderField("Range", "bytes=0-1"), HeaderField("If-Range", "x"), HeaderField("Accept", "x")]
    let requests: [(String, [HeaderField], Int, isRepeated: Bool)] = [
      ("GET", range, 206, true), ("GET", range, 416, true), ("GET", range, 200, false),
      ("GET", Array(range.dropFirst()), 206, false), ("POST", range, 206, false),
    ]
    for (method, fields, status, isRepeated) in requests {
      memory = SessionMemory()
      var scene = Self.scene(method: method, headers: fields)
      scene.begin(memory)
      scene.head(status, Self.html, memory)
      #expect((scene.fate == .discard) == isRepeated, "\(method) \(fields) \(status)")
      guard isRepeated else { continue }
      scene.endAlone(nil, memory)
      #expect(scene.sent?.headers.map(\.name) == ["Accept"] && scene.sent?.method == "GET")
    }
  }

  // MARK: One at a time

  /// Tells the tasks whose turn has come.
  private mutating func giveTurns(_ scenes: inout [TaskScene]) -> [UInt64] {
    let granted = memory.turns.takeGranted().map(\.number)
    for number in granted { scenes[Int(number) - 1].turnCame(memory) }
    return granted
  }

  @Test mutating func oneTaskPostsAndTheOthersMakeTheirRequestsAgain() {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    // The second time, what the first logins gave is lost.
    for _ in 1...2 {
      var scenes = (1...3).map { Self.scene($0) }
      for index in scenes.indices { scenes[index].begin(memory) }
      for index in scenes.indices { page(&scenes[index]) }
      #expect(scenes.map(\.isExchanging) == [true, false, false])
      #expect(scenes[0].sent?.form == nil, "its page is fetched again")
      page(&scenes[0])
      #expect(scenes[0].sent?.form != nil)
      scenes[0].head(204, [], memory)
      scenes[0].endAlone(nil, memory)
      var granted = giveTurns(&scenes)
      #expect(granted.isEmpty, "the login may not have been enough")
      scenes[0].head(200, Self.text, memory)
      scenes[0].endAlone(nil, memory)
      #expect(scenes[0].isDelivered)
      for index in 1...2 {
        granted = giveTurns(&scenes)
        #expect(granted == [UInt64(index + 1)])
        #expect(scenes[index].sent?.form == nil && scenes[index].sent?.url == TaskScene.url())
        scenes[index].head(200, Self.text, memory)
        scenes[index].endAlone(nil, memory)
        #expect(scenes[index].isDelivered)
      }
    }
  }

  @Test mutating func aLoginThatIsRefusedLetsTheNextTaskTry() {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var scenes = (1...2).map { Self.scene($0) }
    for index in scenes.indices { scenes[index].begin(memory) }
    for index in scenes.indices { page(&scenes[index]) }
    page(&scenes[0])
    page(&scenes[0])
    #expect(scenes[0].question?.previousFailureCount == 1)
    let granted = giveTurns(&scenes)
    #expect(granted == [2] && scenes[1].sent?.form == nil)
  }

  /// The page to which a redirect leads is fetched by one task at a time (16.6).
  @Test mutating func aPageBehindARedirectIsFetchedByOneTaskAtATime() {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    let rule = Self.rule(at: TaskScene.url("/n"))
    var scenes = (1...2).map { Self.scene($0, rule: rule) }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].redirect(to: "a.example", with: memory)
    }
    #expect(scenes.map { $0.sent?.url } == [TaskScene.url("/n"), nil])
    #expect(scenes[1].machine.phase == .awaitingTurn)
    page(&scenes[0])
    #expect(scenes[0].sent?.form != nil, "nobody could come between")
    scenes[0].head(204, [], memory)
    scenes[0].endAlone(nil, memory)
    #expect(scenes[0].sent?.url == TaskScene.url())
    scenes[0].head(200, Self.text, memory)
    let granted = giveTurns(&scenes)
    #expect(granted == [2] && scenes[1].sent?.url == TaskScene.url(), "with the cookies of the login")
  }

  @Test mutating func aRedirectToAnotherPageWaitsForNobody() {
    let rule = Self.rule(at: TaskScene.url("/login"))
    var scenes = (1...2).map { Self.scene($0, rule: rule) }
    for index in scenes.indices {
      scenes[index].begin(memory)
      scenes[index].redirect(to: "a.example", with: memory)
    }
    #expect(scenes.allSatisfy { $0.sent?.url == TaskScene.url("/n") })
  }
}
