import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Turns by themselves, for any order of events.
struct NonceTurnsTests {
  private let spaces = ["a", "b"].map { TaskScene.space($0, .digest) }

  @Test func everyTaskGoesAtOnceBeforeTheFirstRepetition() {
    var turns = NonceTurns()
    for number in 1...3 {
      let mayGo = turns.enter(spaces[0], TaskIdentifier(UInt64(number)))
      #expect(mayGo)
    }
    #expect(!turns.hasNews)
  }

  @Test func whoWaitsInOneSpaceAndEntersAnotherLeavesTheFirst() {
    var turns = NonceTurns()
    for (index, space) in spaces.enumerated() { turns.begin(space, TaskIdentifier(UInt64(index))) }
    for space in spaces {
      let mayGo = turns.enter(space, TaskIdentifier(9))
      #expect(!mayGo)
    }
    turns.leave(TaskIdentifier(0))
    let early = turns.takeGranted()
    #expect(early.isEmpty)
    turns.leave(TaskIdentifier(1))
    let granted = turns.takeGranted()
    #expect(granted == [TaskIdentifier(9)])
  }

  @Test(arguments: 1...20)
  func noTaskIsForgottenAndOnlyOneSends(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var turns = NonceTurns()
    var senders: [TaskIdentifier: ProtectionSpace] = [:]
    var waiting: Set<TaskIdentifier> = []
    for _ in 0..<2000 {
      let task = TaskIdentifier(.random(in: 1...12, using: &random))
      let space = spaces[.random(in: 0..<spaces.count, using: &random)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        if turns.space(of: task, at: .origin) == nil { turns.begin(space, task) }
        if turns.isHolder(task, of: space) { senders[task] = space }
      case 1:
        if senders[task] != nil { turns.noteAcceptance(of: task, at: .origin) }
      case 2:
        senders[task] = nil
        waiting.remove(task)
        turns.leave(task)
      default:
        senders[task] = senders[task] == space ? space : nil
        if turns.enter(space, task) {
          if turns.isOrdered(space) { senders[task] = space }
          waiting.remove(task)
        } else {
          waiting.insert(task)
        }
      }
      for granted in turns.takeGranted() where waiting.remove(granted) != nil {
        senders[granted] = turns.space(of: granted, at: .origin)
      }
      for space in spaces { #expect(senders.values.filter { $0 == space }.count <= 1) }
      // A task that waits waits for another one.
      for task in waiting {
        #expect(turns.space(of: task, at: .origin).map { turns.isTaken($0, from: task) } == true)
      }
    }
  }
}
