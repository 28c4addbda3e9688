import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// One task tries what no server has judged lately (challenges.md 12.8).
struct CredentialTrialsTests {
  private static let key = CredentialTrials.Key(TaskScene.password("x").kind, in: TaskScene.space())

  private var trials = CredentialTrials()

  private mutating func enter(_ task: UInt64, isNew: Bool = true, at now: Double = 0)
    -> Bool
  {
    trials.enter(Self.key, TaskIdentifier(task), at: .origin, isNew: isNew, now: now)
  }

  /// Which tasks wait no longer.
  private mutating func granted() -> [UInt64] { trials.takeGranted().map(\.number).sorted() }

  @Test mutating func oneTriesAndTheOthersWait() {
    #expect(enter(1))
    for task: UInt64 in 2...1000 { #expect(!enter(task)) }
    #expect(enter(1))
    #expect(trials.nextDeadline == TrialPace.waitSeconds)
  }

  /// One silence lets one task follow, also when the trial of another key was set back to an earlier time.
  @Test mutating func oneSilenceLetsOneTaskFollow() {
    let other = CredentialTrials.Key(TaskScene.password("y").kind, in: TaskScene.space("s"))
    for task: UInt64 in 1...2 { _ = enter(task) }
    for task: UInt64 in 3...4 {
      _ = trials.enter(other, TaskIdentifier(task), at: .origin, isNew: true, now: 1)
    }
    trials.leave(TaskIdentifier(4))
    for task: UInt64 in 5...7 {
      _ = trials.enter(other, TaskIdentifier(task), at: .origin, isNew: true, now: 1)
    }
    trials.tick(now: 10)
    #expect(granted() == [2])
    trials.tick(now: 11)
    #expect(granted().count == 1)
  }

  @Test mutating func acceptedAllGoForASecond() {
    for task: UInt64 in 1...3 { _ = enter(task) }
    trials.noteAcceptance(of: Self.key, isMultiplexed: false, now: 5)
    #expect(granted() == [2, 3])
    #expect(trials.nextDeadline == nil)
    for task: UInt64 in 2...5 { #expect(enter(task, at: 5.9)) }
    // Then one goes ahead again.
    #expect(enter(6, at: 6.1) && !enter(7, at: 6.1))
  }

  @Test mutating func whatTheSessionKeepsIsTriedOverManyStreamsOnly() {
    trials.noteAcceptance(of: Self.key, isMultiplexed: false, now: 0)
    #expect(enter(1, isNew: false, at: 9) && enter(2, isNew: false, at: 9))
    trials.noteAcceptance(of: Self.key, isMultiplexed: true, now: 9)
    #expect(enter(3, isNew: false, at: 9.5) && enter(4, isNew: false, at: 9.5))
    #expect(enter(5, isNew: false, at: 11) && !enter(6, isNew: false, at: 11))
    #expect(trials.nextDeadline == 11 + TrialPace.waitSecondsOfKnown)
  }

  @Test mutating func refusedNoneWaits() {
    for task: UInt64 in 1...3 { _ = enter(task) }
    trials.noteRefusal(of: Self.key)
    #expect(granted() == [2, 3])
    #expect(trials.nextDeadline == nil)
  }

  @Test mutating func theNextOneTriesWhenTheFirstEnds() {
    for task: UInt64 in 1...3 { _ = enter(task) }
    trials.leave(TaskIdentifier(1))
    #expect(granted().count == 1)
    #expect(trials.nextDeadline == nil)
    let next: UInt64 = enter(2, at: 3) ? 2 : 3
    #expect(enter(next, at: 3) && !enter(5 - next, at: 3))
    #expect(trials.nextDeadline == 3 + TrialPace.waitSeconds)
  }

  /// What a server is sent that says nothing, and the tasks that go on without it.
  private mutating func silence(isNew: Bool) -> (tries: Int, last: [UInt64]) {
    if !isNew { trials.noteAcceptance(of: Self.key, isMultiplexed: true, now: -10) }
    var tries = 1
    for task: UInt64 in 1...10 { _ = enter(task, isNew: isNew) }
    while let next = trials.nextDeadline {
      trials.tick(now: next)
      let tasks = granted()
      guard tasks.count == 1, enter(tasks[0], isNew: isNew, at: next) else { return (tries, tasks) }
      tries += 1
    }
    return (tries, [])
  }

  @Test mutating func aServerThatSaysNothingIsSentItFourTimes() {
    let (tries, last) = silence(isNew: true)
    #expect(tries == 4 && last.count == 6)
    #expect(last.allSatisfy { trials.passesOver(Self.key, TaskIdentifier($0)) })
    #expect(trials.passesOver(Self.key, TaskIdentifier(11)))
    // Those who try it may still be answered.
    trials.noteAcceptance(of: Self.key, isMultiplexed: false, now: 50)
    #expect(enter(11, at: 50))
  }

  @Test mutating func whatWasAcceptedBeforeIsSentAfterTheSilence() {
    let (tries, last) = silence(isNew: false)
    #expect(tries == 4 && last.count == 6)
    for task in last { #expect(enter(task, isNew: false, at: 8)) }
  }

  @Test(.timeLimit(.minutes(1))) mutating func tenThousandLeave() {
    for task: UInt64 in 1...10_000 { _ = enter(task) }
    for task: UInt64 in 1...10_000 { trials.leave(TaskIdentifier(task)) }
    #expect(trials.nextDeadline == nil && enter(1) && !enter(2))
  }

  @Test mutating func oneAloneWaitsForNobody() {
    var mayGo = enter(1)
    #expect(mayGo && trials.nextDeadline == nil)
    mayGo = enter(2)
    #expect(!mayGo && trials.nextDeadline == TrialPace.waitSeconds)
    trials.leave(TaskIdentifier(2))
    #expect(trials.nextDeadline == nil)
  }

  /// The wait begins when the request goes onto its connection.
  @Test mutating func onlyTheOneThatTriesBeginsTheWait() {
    for task: UInt64 in 1...2 { _ = enter(task) }
    trials.begin(TaskIdentifier(2), at: .origin, now: 3)
    trials.begin(TaskIdentifier(1), at: .proxy, now: 3)
    #expect(trials.nextDeadline == TrialPace.waitSeconds)
    trials.begin(TaskIdentifier(1), at: .origin, now: 4)
    #expect(trials.nextDeadline == 4 + TrialPace.waitSeconds)
  }

  /// An acceptance counts for less than a second, and is remembered beyond that as a sign of the next one.
  @Test mutating func whatWasAcceptedIsTriedAgainAfterExactlyASecond() {
    trials.noteAcceptance(of: Self.key, isMultiplexed: false, now: 5)
    #expect(!trials.hasMultiplexed)
    #expect(enter(1, at: 5.99) && enter(2, at: 5.99))
    #expect(enter(1, at: 6) && !enter(2, at: 6))
    #expect(trials.nextDeadline == 6 + TrialPace.waitSecondsOfKnown)
    trials.noteRefusal(of: Self.key)
    #expect(enter(3, at: 7) && !enter(4, at: 7))
    #expect(trials.nextDeadline == 7 + TrialPace.waitSeconds)
    trials.noteAcceptance(of: Self.key, isMultiplexed: true, now: 8)
    #expect(trials.hasMultiplexed)
  }

  @Test mutating func ofTooManyAcceptancesNoneIsRemembered() {
    let keys = (0...4096).map {
      CredentialTrials.Key(TaskScene.password("x").kind, in: TaskScene.space("r\($0)"))
    }
    for key in keys.dropLast() { trials.noteAcceptance(of: key, isMultiplexed: false, now: 0) }
    func isTried(_ key: CredentialTrials.Key) -> Bool {
      var trials = trials
      let may = (1...2).map { trials.enter(key, TaskIdentifier($0), at: .origin, isNew: true, now: 0.5) }
      return may == [true, false]
    }
    #expect(!isTried(keys[0]) && !isTried(keys[4095]) && isTried(keys[4096]))
    trials.noteAcceptance(of: keys[4096], isMultiplexed: false, now: 0)
    #expect(isTried(keys[0]) && isTried(keys[4095]) && !isTried(keys[4096]))
  }
}
