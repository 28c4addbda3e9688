import Testing

@testable import WatchwordCore

struct IdleAgentTests {
  private func outcome(
    _ idle: inout IdleAgent, isRunning: Bool = false, isLocked: Bool = false, hasPassphrase: Bool = true,
    at now: Double
  ) -> IdleAgent.IdleAction {
    idle.outcome(after: 10, isRunning: isRunning, isLocked: isLocked, hasPassphrase: hasPassphrase, now: now)
  }

  @Test func itIsLockedOnceAfterTheLastUse() {
    var idle = IdleAgent()
    #expect(outcome(&idle, at: 100) == .nothing)
    let uses = [idle.noteUse(now: 100), idle.noteUse(now: 104)]
    #expect(uses == [true, false])
    #expect(outcome(&idle, at: 110) == .wait(4))
    #expect(outcome(&idle, at: 114) == .lock)
    #expect(outcome(&idle, at: 200) == .nothing)
    let isFirst = idle.noteUse(now: 200)
    #expect(isFirst)
  }

  @Test func withoutAPassphraseItForgets() {
    var idle = IdleAgent()
    _ = idle.noteUse(now: 0)
    #expect(outcome(&idle, hasPassphrase: false, at: 10) == .forget)
  }

  @Test func aRunningTaskIsAUse() {
    var idle = IdleAgent()
    _ = idle.noteUse(now: 0)
    #expect(outcome(&idle, isRunning: true, at: 50) == .wait(10))
    #expect(outcome(&idle, at: 59) == .wait(1))
    #expect(outcome(&idle, at: 60) == .lock)
  }

  @Test func aLockedAgentStaysLocked() {
    var idle = IdleAgent()
    _ = idle.noteUse(now: 0)
    #expect(outcome(&idle, isLocked: true, at: 10) == .nothing)
  }
}
