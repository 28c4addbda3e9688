import Testing
import WatchwordCore
import WatchwordVocabulary

/// A session's field is the caller's field of every task (storage.md 9.2.4 and challenges.md 13.3).
@Suite struct CallerFieldsTests {
  private let session = [
    HeaderField("X-One", "session"), HeaderField("AUTHORIZATION", "session"), HeaderField("x-one", "again"),
  ]

  private func url(_ userinfo: RequestURL.Userinfo? = nil) -> RequestURL {
    RequestURL(
      origin: Origin(scheme: .https, host: "a.test", port: 443), path: "/", query: nil, userinfo: userinfo)
  }

  @Test func fieldsOfTheSessionComeFirstAndGiveWayToTheTasks() {
    #expect(CallerFields.merged(task: [], session: session, for: url()) == session)
    let task = [HeaderField("x-ONE", "task"), HeaderField("X-Two", "task")]
    let merged = CallerFields.merged(task: task, session: session, for: url())
    #expect(merged == [session[1]] + task)
  }

  @Test(arguments: [nil, Secret(Array("x".utf8))])
  func theUserOfAURLGoesBeforeTheSessionsFieldAndATasksBeforeBoth(_ password: Secret?) {
    let named = url(RequestURL.Userinfo(user: "joe", password: password))
    #expect(CallerFields.merged(task: [], session: session, for: named) == [session[0], session[2]])
    let task = [HeaderField("authorization", "task")]
    #expect(CallerFields.merged(task: task, session: session, for: named).last == task[0])
  }
}
