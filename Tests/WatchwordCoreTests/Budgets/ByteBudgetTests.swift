import Testing
import WatchwordCore

@Suite struct ByteBudgetTests {
  @Test func whatIsTakenCountsForItsUidUntilItIsGivenBack() {
    var budget = ByteBudget(limit: 100)
    let taken = [(60, UInt32(1)), (40, 1), (1, 1), (100, 2)].map { budget.reserve($0, for: $1) }
    #expect(taken == [true, true, false, true])
    #expect(budget.used(by: 1) == 100 && budget.used(by: 2) == 100 && budget.used(by: 3) == 0)
    budget.giveBack(60, of: 1)
    let again = budget.reserve(60, for: 1)
    #expect(again && budget.used(by: 1) == 100)
    #expect(budget.hasRoom(for: 0, of: 1) && !budget.hasRoom(for: 1, of: 1))
  }

  @Test func whatIsTakenAnywayLeavesNoRoomForAnythingElse() {
    var budget = ByteBudget(limit: 100)
    budget.takeAnyway(130, for: 1)
    #expect(budget.used(by: 1) == 130 && !budget.hasRoom(for: 1, of: 1) && budget.hasRoom(for: 100, of: 2))
    let isTaken = budget.reserve(1, for: 1)
    let isNothingTaken = budget.reserve(0, for: 1)
    #expect(isNothingTaken && budget.hasRoom(for: 0, of: 1) && budget.used(by: 1) == 130)
    budget.giveBack(50, of: 1)
    #expect(!isTaken && budget.hasRoom(for: 20, of: 1) && !budget.hasRoom(for: 21, of: 1))
  }

  @Test(arguments: [-1, 101, Int.max, Int.min]) func whatIsNoAmountOrTooMuchIsRefused(_ bytes: Int) {
    var budget = ByteBudget(limit: 100)
    let isTaken = budget.reserve(bytes, for: 1)
    #expect(!isTaken && budget.used(by: 1) == 0)
  }
}
