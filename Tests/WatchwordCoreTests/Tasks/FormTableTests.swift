import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What each event leads to in each state of a login by form: the effects, and the phase behind them. What is not in the
/// table leads to nothing.
struct FormTableTests {
  /// A task of which a rule says that its page is a login form.
  enum State: CaseIterable {
    /// The page arrives, or has arrived.
    case readingPage, pageOver
    /// A delegate is asked.
    case asking
    /// The page is fetched again for the form that is about to be posted, and arrives.
    case renewing, renewingPage
    /// The form is posted; the answer is a page that arrives; it leads on.
    case posting, answerPage, followingAnswer, followed
    /// The answer is enough; the task's own request is made again.
    case loggedIn, repeating
  }
  enum Event: CaseIterable {
    case form, noForm, unusableForm, page, redirect, redirectAway, other, failure, end, lost, answered, stop
  }

  private var memory = SessionMemory()

  private static let html = [HeaderField("Content-Type", "text/html")]
  private static let form = LoginForm(action: nil, entries: [.user(name: "u"), .password(name: "p")])
  private static let found = PageReading(isSelected: true, form: .usable(form))
  private static let nothing = PageReading(isSelected: true, form: nil)

  private mutating func scene(in state: State) -> TaskScene {
    var scene = TaskScene()
    scene.forms = [
      FormRule(
        page: TaskScene.url(), isPrefix: false, when: FormRule.Condition(), userField: "u",
        passwordField: "p", success: FormRule.Condition())
    ]
    scene.begin(memory)
    scene.head(200, Self.html, memory)
    if state == .readingPage { return scene }
    scene.endAlone(nil, memory)
    if state == .pageOver { return scene }
    scene.readPage(Self.found, memory)
    if state == .asking { return scene }
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    if state == .renewing { return scene }
    scene.head(200, Self.html, memory)
    if state == .renewingPage { return scene }
    scene.readPage(Self.found, memory)
    scene.endAlone(nil, memory)
    if state == .posting { return scene }
    switch state {
    case .answerPage: scene.head(200, Self.html, memory)
    case .followingAnswer, .followed:
      scene.head(303, [HeaderField("Location", "a.example")], memory)
      if state == .followed { scene.endAlone(nil, memory) }
    case .loggedIn, .repeating:
      scene.head(204, [], memory)
      if state == .repeating { scene.endAlone(nil, memory) }
    case .readingPage, .pageOver, .asking, .renewing, .renewingPage, .posting: break
    }
    return scene
  }

  @Test mutating func everyEventInEveryState() {
    var found: [String] = []
    for state in State.allCases {
      for event in Event.allCases {
        memory = SessionMemory()
        var scene = scene(in: state)
        let before = scene.machine.phase
        happen(event, &scene)
        let effects = scene.effects.map(Self.name).joined(separator: ", ")
        if effects.isEmpty && scene.machine.phase == before { continue }
        let phase = TaskStateMachineTableTests.name(scene.machine.phase)
        found.append("\(state) \(event): \(effects) -> \(phase)")
      }
    }
    let expected = Self.table.split(separator: "\n").map(String.init)
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
  }

  @Test mutating func onlyAResponseThatIsNoLoginPageIsWhatWasAskedFor() {
    let ends: [(State, Event, Bool)] = [
      (.asking, .answered, true), (.pageOver, .noForm, false), (.posting, .failure, true),
      (.repeating, .other, false),
    ]
    for (state, event, isLoginPage) in ends {
      memory = SessionMemory()
      var scene = scene(in: state)
      happen(event, &scene)
      let shown = scene.machine.forms.isRefusal || scene.machine.forms.lacksField
      #expect(shown == isLoginPage, "\(state) \(event)")
    }
  }

  private static let table = """
    readingPage form: body hold -> receiving ask
    readingPage noForm: body deliver -> receiving finish
    readingPage unusableForm: finish authentication -> finished
    readingPage end: readPage -> readingPage
    readingPage lost: readPage -> readingPage
    readingPage stop: finish cancelled -> finished
    pageOver form: ask -> asking
    pageOver noForm: deliverHeld whole, finish -> finished
    pageOver unusableForm: finish authentication -> finished
    pageOver stop: finish cancelled -> finished
    asking answered: deliverHeld whole, finish -> finished
    asking stop: finish cancelled -> finished
    renewing page: body read -> receiving readPage
    renewing redirect: body discard -> receiving beginAgain
    renewing redirectAway: body discard -> receiving beginAgain
    renewing other: body discard -> receiving beginAgain
    renewing failure: body discard -> receiving beginAgain
    renewing end: finish malformedResponse -> finished
    renewing lost: finish connectionLost -> finished
    renewing stop: finish cancelled -> finished
    renewingPage form: body discard -> receiving retry
    renewingPage noForm: body discard -> receiving beginAgain
    renewingPage unusableForm: finish authentication -> finished
    renewingPage end: readPage -> readingPage
    renewingPage lost: readPage -> readingPage
    renewingPage stop: finish cancelled -> finished
    posting page: body read -> receiving readPage
    posting redirect: body discard -> receiving followLogin
    posting redirectAway: body discard -> receiving beginAgain
    posting other: body discard -> receiving beginAgain
    posting failure: report inconclusive, body deliver -> receiving finish
    posting end: finish malformedResponse -> finished
    posting lost: finish connectionLost -> finished
    posting stop: finish cancelled -> finished
    answerPage form: report refused, body hold -> receiving ask
    answerPage noForm: body discard -> receiving beginAgain
    answerPage unusableForm: finish authentication -> finished
    answerPage end: readPage -> readingPage
    answerPage lost: readPage -> readingPage
    answerPage stop: finish cancelled -> finished
    followingAnswer end: send -> exchanging
    followingAnswer lost: send -> exchanging
    followingAnswer stop: finish cancelled -> finished
    followed page: body read -> receiving readPage
    followed redirect: body discard -> receiving followLogin
    followed redirectAway: body discard -> receiving beginAgain
    followed other: body discard -> receiving beginAgain
    followed failure: report inconclusive, body deliver -> receiving finish
    followed end: finish malformedResponse -> finished
    followed lost: finish connectionLost -> finished
    followed stop: finish cancelled -> finished
    loggedIn end: send -> exchanging
    loggedIn lost: send -> exchanging
    loggedIn stop: finish cancelled -> finished
    repeating page: body read -> receiving readPage
    repeating redirect: body discard -> receiving follow
    repeating redirectAway: body discard -> receiving follow
    repeating other: report accepted, body deliver -> receiving finish
    repeating failure: report inconclusive, body deliver -> receiving finish
    repeating end: finish malformedResponse -> finished
    repeating lost: finish connectionLost -> finished
    repeating stop: finish cancelled -> finished
    """

  /// Without what a question to the parser or a failure holds.
  private static func name(_ effect: TaskStateMachine.Effect) -> String {
    String(TaskStateMachineTableTests.name(effect).prefix { $0 != "(" })
  }

  private mutating func happen(_ event: Event, _ scene: inout TaskScene) {
    switch event {
    case .form: scene.readPage(Self.found, memory)
    case .noForm: scene.readPage(Self.nothing, memory)
    case .unusableForm:
      scene.readPage(PageReading(isSelected: true, form: .unusable(.notPosted)), memory)
    case .page: scene.head(200, Self.html, memory)
    case .redirect: scene.head(302, [HeaderField("Location", "a.example")], memory)
    case .redirectAway: scene.head(302, [HeaderField("Location", "b.example")], memory)
    case .other: scene.head(200, [HeaderField("Content-Type", "text/plain")], memory)
    case .failure: scene.head(503, [], memory)
    case .end: scene.endAlone(nil, memory)
    case .lost: scene.endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true)), memory)
    case .answered: scene.answer(.deliverRefusal, memory)
    case .stop: scene.stop(.cancelled)
    }
  }
}
