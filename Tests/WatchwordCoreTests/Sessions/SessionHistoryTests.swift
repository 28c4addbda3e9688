import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What the history of the account is told by a session.
struct SessionHistoryTests {
  @Test func anAnswerTellsWhoWasAskedWhoAnsweredAndWhatBecameOfIt() throws {
    var scene = SessionScene()
    scene.delegate(7)
    let task = scene.begin(of: 1)
    scene.refuse(TaskScene.basic(), task)
    #expect(scene.records.isEmpty)
    try scene.reply("c1", by: 7, .useCredential, TaskScene.password("p"))
    var entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.process, entry.answeredBy) == (.answered, 1, 7))
    #expect((entry.asked, entry.user, entry.authenticationMethod) == ([7], nil, .basic))
    scene.respond(200, to: task)
    entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.process, entry.answeredBy) == (.accepted, 1, 7))
    #expect((entry.origin, entry.user) == (TaskScene.origin, "joe"))
    #expect(scene.records.count == 1)
  }

  @Test func aRefusalNamesTheOneWhoAnswered() throws {
    var scene = SessionScene()
    scene.delegate(7)
    let task = scene.begin(of: 1)
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", by: 7, .useCredential, TaskScene.password("wrong"))
    scene.refuse(TaskScene.basic(), task)
    let entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.user, entry.answeredBy) == (.refused, "joe", 7))
  }

  @Test func laterUsesNameTheGiver() throws {
    var scene = SessionScene()
    scene.delegate(7)
    let first = scene.begin(of: 1)
    scene.refuse(TaskScene.basic(), first)
    try scene.reply("c1", by: 7, .useCredential, TaskScene.password("p"))
    scene.respond(200, to: first)
    let second = scene.begin(of: 2)
    scene.respond(200, to: second)
    let entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.process, entry.answeredBy) == (.accepted, 2, 7))
  }

  @Test(arguments: [
    (Disposition.cancelAuthenticationChallenge, HistoryEntry.Outcome.cancelled),
    (.rejectProtectionSpace, .rejected), (.performDefaultHandling, .defaultHandling),
  ])
  func otherRepliesAreTold(disposition: Disposition, outcome: HistoryEntry.Outcome) throws {
    var scene = SessionScene()
    scene.delegate(7)
    let task = scene.begin(of: 1)
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", by: 7, disposition)
    #expect(scene.records.map(\.outcome) == [outcome])
    #expect(scene.records.map(\.answeredBy) == [7])
  }

  @Test func aDeadlineHasNoProcessThatAnswered() throws {
    var scene = SessionScene()
    scene.delegate(7)
    let task = scene.begin(of: 1)
    scene.refuse(TaskScene.basic(), task)
    scene.now = 1000
    scene.take { $0.tick() }
    let entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.asked, entry.answeredBy) == (.deadline, [7], nil))
    #expect(scene.state.questions.isEmpty)
  }

  @Test func anAnswerHasItsReason() throws {
    var scene = SessionScene()
    scene.delegate(7)
    for because in ["a test", nil] {
      let task = scene.begin(of: 1)
      scene.refuse(TaskScene.basic(), task)
      let challenge = try #require(scene.state.questions.keys.first)
      try scene.reply(challenge, by: 7, .cancelAuthenticationChallenge, because: because)
      #expect(scene.records.map(\.because) == [because])
    }
  }

  @Test func whatATaskMetHasItsTrace() throws {
    let trace = try #require(TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
    var scene = SessionScene()
    scene.delegate(7)
    let task = scene.begin(of: 1, traceContext: trace)
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", by: 7, .useCredential, TaskScene.password("wrong"))
    #expect(scene.records.map(\.traceContext) == [trace])
    scene.refuse(TaskScene.basic(), task)
    #expect(scene.records.map(\.outcome) == [.refused])
    #expect(scene.records.map(\.traceContext) == [trace])
  }

  @Test func nothingIsToldOfTasksWithoutCredentials() {
    var scene = SessionScene()
    let task = scene.begin(of: 1)
    scene.respond(200, to: task)
    #expect(scene.records.isEmpty)
  }
}
