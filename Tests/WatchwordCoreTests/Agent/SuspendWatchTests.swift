import Testing

@testable import WatchwordCore

/// Each test writes down what the driver is asked for, step by step.
struct SuspendWatchTests {
  private typealias Effects = [SuspendWatch.Effect]

  private static func ready() -> SuspendWatch {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    _ = watch.connected()
    _ = watch.answered(hasInhibitor: true)
    return watch
  }

  @Test func itTakesAnInhibitorOnceItIsTurnedOn() {
    var watch = SuspendWatch()
    #expect(watch.state == .off)
    let first = watch.turnOn()
    #expect(first == [.connect])
    let again = watch.turnOn()
    #expect(again == [])
    let asked = watch.connected()
    #expect(asked == [.takeInhibitor] && watch.state == .connecting)
    let answered = watch.answered(hasInhibitor: true)
    #expect(answered == [] && watch.state == .ready)
    let off = watch.turnOff()
    #expect(off == [.releaseInhibitor, .disconnect] && watch == SuspendWatch())
  }

  @Test func sleepWaitsForTheWiping() {
    var watch = Self.ready()
    let begun = watch.sleepBegins()
    #expect(begun == [.lockAll])
    let repeated = watch.sleepBegins()
    #expect(repeated == [])
    let wiped = watch.wiped()
    #expect(wiped == [.releaseInhibitor])
    let over = watch.sleepIsOver()
    #expect(over == [.releaseInhibitor, .takeInhibitor])
    let overAgain = watch.sleepIsOver()
    #expect(overAgain == [])
  }

  @Test func wipingThatEndsAfterTheSleepKeepsTheNextInhibitor() {
    var watch = Self.ready()
    _ = watch.sleepBegins()
    _ = watch.sleepIsOver()
    let late = watch.wiped()
    #expect(late == [])
  }

  @Test func anInhibitorThatComesDuringTheSleepIsReleased() {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    _ = watch.connected()
    _ = watch.sleepBegins()
    let answered = watch.answered(hasInhibitor: true)
    #expect(answered == [.releaseInhibitor])
  }

  @Test func withoutAnInhibitorItStillLocks() {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    _ = watch.connected()
    _ = watch.answered(hasInhibitor: false)
    #expect(watch.state == .noInhibitor)
    let begun = watch.sleepBegins()
    #expect(begun == [.lockAll])
  }

  @Test func aBusThatIsMissingIsTriedAgainLaterEachTime() {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    var delays: [Double] = []
    for _ in 0..<12 {
      for case .wait(let delay) in watch.disconnected() { delays.append(delay) }
      #expect(watch.state == .noBus)
      let next = watch.timeIsUp()
      #expect(next == [.connect])
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    // A connection alone is no success: the bus may close each one.
    _ = watch.connected()
    let lost: Effects = watch.disconnected()
    #expect(lost == [.releaseInhibitor, .disconnect, .wait(300)])
    _ = watch.timeIsUp()
    _ = watch.connected()
    _ = watch.answered(hasInhibitor: true)
    let later: Effects = watch.disconnected()
    #expect(later == [.releaseInhibitor, .disconnect, .wait(1)])
  }

  @Test func oneRequestIsUnderWayAtATime() {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    _ = watch.connected()
    let changed = watch.ownerChanged(isThere: true)
    #expect(changed == [.releaseInhibitor])
    let unanswered = watch.notAnswered()
    #expect(unanswered == [.wait(1)] && watch.state == .noLogind)
    let next = watch.timeIsUp()
    #expect(next == [.takeInhibitor])
  }

  @Test func aLogindThatComesBackIsAskedAtOnce() {
    var watch = Self.ready()
    let gone = watch.ownerChanged(isThere: false)
    #expect(gone == [.releaseInhibitor] && watch.state == .noLogind)
    let back = watch.ownerChanged(isThere: true)
    #expect(back == [.releaseInhibitor, .takeInhibitor])
    _ = watch.answered(hasInhibitor: true)
    // The delay that was waited for meanwhile asks for nothing.
    let late = watch.timeIsUp()
    #expect(late == [] && watch.state == .ready)
  }

  @Test func whatIsOffStaysOff() {
    var watch = SuspendWatch()
    let off = watch.turnOff()
    #expect(off == [])
    _ = watch.turnOn()
    _ = watch.disconnected()
    _ = watch.turnOff()
    let late = watch.timeIsUp()
    #expect(late == [] && watch.state == .off)
    _ = watch.turnOn()
    watch.libraryMissing()
    #expect(watch.state == .noLibrary)
  }
}
