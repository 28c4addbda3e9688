import Testing
import WatchwordCore

@Suite struct ByteBudgetTests {
  @Test func whatIsTakenCountsForItsUidUntilItIsGivenBack() {
    var budget = ByteBudget(limit: 100)
    let taken = [(60, UInt32(1)), (40, 1), (1, 1), (100, 2)].map { budget.take($0, for: $1) }
    #expect(taken == [true, true, false, true])
    #expect(budget.used(by: 1) == 100 && budget.used(by: 2) == 100 && budget.used(by: 3) == 0)
    budget.giveBack(60, of: 1)
    let again = budget.take(60, for: 1)
    #expect(again && budget.used(by: 1) == 100)
  }

  @Test(arguments: [-1, 101, Int.max, Int.min]) func whatIsNoAmountOrTooMuchIsRefused(_ bytes: Int) {
    var budget = ByteBudget(limit: 100)
    let isTaken = budget.take(bytes, for: 1)
    #expect(!isTaken && budget.used(by: 1) == 0)
  }
}
