import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// The history of an account: a ring that counts repetitions.
struct CredentialHistoryTests {
  private static func entry(_ user: String, at time: Double = 0, process: ProcessIdentifier = 1)
    -> HistoryEntry
  {
    var entry = HistoryEntry(.accepted, in: TaskScene.space(), user: user, at: time)
    entry.process = process
    return entry
  }

  private static func users(_ history: CredentialHistory, _ limit: Int = 100) -> [String?] {
    history.latest(limit).map(\.user)
  }

  @Test func theNewestComesFirst() {
    var history = CredentialHistory()
    for user in ["a", "b", "c"] { history.record(Self.entry(user)) }
    #expect(Self.users(history) == ["c", "b", "a"])
    #expect(Self.users(history, 2) == ["c", "b"])
    #expect(history.latest(5) { $0.user == "a" }.count == 1)
  }

  @Test func aRepetitionHasTheLastTrace() throws {
    let trace = try #require(TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
    var history = CredentialHistory()
    for isTraced in [false, true] {
      for user in ["a", "b"] {
        var entry = Self.entry(user)
        entry.traceContext = isTraced ? trace : nil
        history.record(entry)
        history.record(entry)
      }
    }
    #expect(history.latest(9).map(\.uses) == [4, 4])
    #expect(history.latest(9).map(\.traceContext) == [trace, trace])
    history.record(Self.entry("b"))
    #expect(history.latest(1).map(\.traceContext) == [nil])
  }

  @Test func theOldestIsForgotten() {
    var history = CredentialHistory(capacity: 3)
    for user in ["a", "b", "c", "d", "e"] { history.record(Self.entry(user)) }
    #expect(Self.users(history) == ["e", "d", "c"])
    #expect((history.count, history.recorded) == (3, 5))
    history.record(Self.entry("f"))
    #expect(Self.users(history) == ["f", "e", "d"])
  }

  @Test func aRepetitionCountsAndIsTheNewest() {
    var history = CredentialHistory(capacity: 3)
    for user in ["x", "a", "b", "c"] { history.record(Self.entry(user)) }
    let isNew1 = history.record(Self.entry("a", at: 9))
    #expect(!isNew1)
    #expect(Self.users(history) == ["a", "c", "b"])
    #expect(history.latest(1).map(\.uses) == [2])
    #expect(history.latest(1).map(\.time) == [9])
    let isNew2 = history.record(Self.entry("a", process: 2))
    #expect(isNew2)
    #expect(Self.users(history) == ["a", "a", "c"])
  }

  @Test func onlyTheLastFewAreCompared() {
    var history = CredentialHistory()
    for number in 0..<9 { history.record(Self.entry("u\(number)")) }
    let isNew3 = history.record(Self.entry("u0"))
    #expect(isNew3)
    let isNew4 = history.record(Self.entry("u8"))
    #expect(!isNew4)
  }

  @Test func longTextsAreNotKept() {
    let realm = String(repeating: "r", count: 257)
    let user = String(repeating: "ü", count: 200)
    let entry = HistoryEntry(.refused, in: TaskScene.space(realm), user: user, at: 0)
    #expect(entry.realm == nil)
    #expect(entry.user?.utf8.count ?? 0 <= 260)
  }

  /// A reply of a person is never only counted.
  @Test func onlyWhatProgramsDoIsCounted() {
    let counted: Set<HistoryEntry.Outcome> = [.accepted, .read, .presented, .restricted]
    for outcome in HistoryEntry.Outcome.allCases {
      var history = CredentialHistory()
      let entry = HistoryEntry(outcome, at: 1)
      let isNew = [entry, entry].map { history.record($0) }
      #expect(isNew == [true, !counted.contains(outcome)])
      #expect(history.count == (counted.contains(outcome) ? 1 : 2))
      // Nor is another outcome of the same credential.
      history.record(HistoryEntry(outcome == .read ? .presented : .read, at: 1))
      #expect(history.latest(1).map(\.uses) == [1])
    }
  }

  @Test(arguments: [(255, true), (256, true), (257, false)]) func aLongTextIsCutOrLeftOut(
    count: Int, isWhole: Bool
  ) {
    let text = String(repeating: "x", count: count)
    let entry = HistoryEntry(.accepted, in: TaskScene.space(text), user: text, at: 0)
    #expect((entry.realm != nil) == isWhole && entry.user?.utf8.count == min(count, 256))
    #expect(!entry.isProxy && !HistoryEntry(.locked, at: 0).isProxy)
  }
}
