import Testing

@testable import WatchwordCore

/// What is forgotten with a connection or with a logind that is gone.
struct SuspendWatchResumptionTests {
  private static func asleep() -> SuspendWatch {
    var watch = SuspendWatch()
    _ = watch.turnOn()
    _ = watch.connected()
    _ = watch.sleepBegins()
    return watch
  }

  @Test func theNextConnectionAsksAgainAndHearsOfSleepAgain() {
    var watch = Self.asleep()
    _ = watch.disconnected()
    _ = watch.timeIsUp()
    let asked = watch.connected()
    #expect(asked == [.takeInhibitor])
    let begun = watch.sleepBegins()
    #expect(begun == [.lockAll])
  }

  @Test(arguments: [false, true]) func anotherLogindSaysItselfWhenSleepBegins(isThere: Bool) {
    var watch = Self.asleep()
    _ = watch.ownerChanged(isThere: isThere)
    let wiped = watch.wiped()
    #expect(wiped == [])
    let begun = watch.sleepBegins()
    #expect(begun == [.lockAll])
  }
}
