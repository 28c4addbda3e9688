import Testing

@testable import WatchwordCore

struct AgentLockTests {
  enum State: String, CaseIterable { case unlocked, locking, locked, unlocking }

  enum Event: String, CaseIterable {
    case beginLocking, ready, notReady, beginUnlocking, right, wrong, unknown, lockAgain
  }

  /// What each event leads to in each state: the fault, if there is one, and the next state.
  private static let table = """
    unlocked beginLocking: locking
    unlocked ready: unlocked
    unlocked notReady: unlocked
    unlocked beginUnlocking: fault unlocked, unlocked
    unlocked right: unlocked
    unlocked wrong: unlocked
    unlocked unknown: unlocked
    unlocked lockAgain: locked
    locking beginLocking: fault busy, locking
    locking ready: locked
    locking notReady: unlocked
    locking beginUnlocking: fault busy, locking
    locking right: locking
    locking wrong: locking
    locking unknown: locking
    locking lockAgain: locking
    locked beginLocking: fault locked, locked
    locked ready: locked
    locked notReady: locked
    locked beginUnlocking: unlocking
    locked right: locked
    locked wrong: locked
    locked unknown: locked
    locked lockAgain: locked
    unlocking beginLocking: fault busy, unlocking
    unlocking ready: unlocking
    unlocking notReady: unlocking
    unlocking beginUnlocking: fault busy, unlocking
    unlocking right: unlocked
    unlocking wrong: locked
    unlocking unknown: locked
    unlocking lockAgain: unlocking
    """

  @Test func everyEventInEveryState() {
    var found: [String] = []
    for state in State.allCases {
      for event in Event.allCases {
        var lock = Self.lock(in: state)
        let fault = Self.happen(event, to: &lock)
        let names = [fault.map { "fault \($0)" }, Self.state(of: lock)].compactMap(\.self)
        found.append("\(state) \(event): \(names.joined(separator: ", "))")
      }
    }
    #expect(found == Self.table.split(separator: "\n").map(String.init))
  }

  @Test func nothingIsShownFromTheLockToTheRightPassphrase() {
    #expect(State.allCases.filter { Self.lock(in: $0).isLocked } == [.locked, .unlocking])
  }

  @Test func wrongPassphrasesSlowTheNextOnesDown() throws {
    var lock = Self.lock(in: .locked)
    var delays: [Double] = []
    for _ in 0..<10 {
      delays.append(try lock.beginUnlocking())
      lock.endUnlocking(isRight: false)
    }
    #expect(delays == [0, 0.25, 0.5, 1, 2, 4, 8, 16, 16, 16])
    // One that could not be compared says nothing about who gave it.
    _ = try lock.beginUnlocking()
    lock.endUnlocking(isRight: nil)
    #expect(try lock.beginUnlocking() == 16)
    lock.endUnlocking(isRight: true)
    try lock.beginLocking()
    lock.endLocking(isReady: true)
    #expect(try lock.beginUnlocking() == 0)
  }

  private static func lock(in state: State) -> AgentLock {
    var lock = AgentLock()
    if state == .unlocked { return lock }
    try? lock.beginLocking()
    if state == .locking { return lock }
    lock.endLocking(isReady: true)
    if state == .unlocking { _ = try? lock.beginUnlocking() }
    return lock
  }

  private static func happen(_ event: Event, to lock: inout AgentLock) -> AgentLock.LockFault? {
    do throws(AgentLock.LockFault) {
      switch event {
      case .beginLocking: try lock.beginLocking()
      case .ready: lock.endLocking(isReady: true)
      case .notReady: lock.endLocking(isReady: false)
      case .beginUnlocking: _ = try lock.beginUnlocking()
      case .right: lock.endUnlocking(isRight: true)
      case .wrong: lock.endUnlocking(isRight: false)
      case .unknown: lock.endUnlocking(isRight: nil)
      case .lockAgain: _ = lock.lockAgain()
      }
      return nil
    } catch {
      return error
    }
  }

  private static func state(of lock: AgentLock) -> String {
    var copy = lock
    do throws(AgentLock.LockFault) {
      try copy.beginLocking()
      return State.unlocked.rawValue
    } catch {
      let isBusy = error == .busy
      return (isBusy ? lock.isLocked ? State.unlocking : .locking : .locked).rawValue
    }
  }

  @Test func onlyAnUnlockedAgentIsLockedAgain() {
    for state in State.allCases {
      var lock = Self.lock(in: state)
      let isLockedAgain = lock.lockAgain()
      #expect(isLockedAgain == (state == .unlocked), "\(state)")
    }
  }
}
