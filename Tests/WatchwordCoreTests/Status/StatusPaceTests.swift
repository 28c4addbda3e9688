import Testing
import WatchwordCore

@Suite struct StatusPaceTests {
  @Test func theFirstRoundIsWhenItIsWanted() {
    #expect(StatusPace().nextRound(wantedAt: 5) == 5)
  }

  @Test func aRoundThatTookLongPutsOffTheNext() {
    var pace = StatusPace()
    pace.noteRound(endingAt: 10, took: 0.5)
    #expect(pace.nextRound(wantedAt: 10.1) == 20)
    #expect(pace.nextRound(wantedAt: 21) == 21)
    pace.noteRound(endingAt: 30, took: 0)
    #expect(pace.nextRound(wantedAt: 30) == 30)
  }

  @Test func aClockThatGoesBackPutsNothingOff() {
    var pace = StatusPace()
    pace.noteRound(endingAt: 10, took: -1)
    #expect(pace.nextRound(wantedAt: 10) == 10)
  }
}
