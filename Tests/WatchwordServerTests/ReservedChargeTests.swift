import Testing
import WatchwordReactor

@testable import WatchwordServer

@ReactorActor
struct ReservedChargeTests {
  private let reserve = MemoryBudget(limit: 100)
  private let budget = MemoryBudget(limit: 200)

  @Test func itIsInTheReserveOrWithTheRest() {
    let charge = ReservedCharge(reserve, or: budget, uid: 1)
    #expect(charge.grow(to: 100))
    #expect((reserve.total, budget.total) == (100, 0))
    #expect(charge.grow(to: 200))
    #expect((reserve.total, budget.total) == (0, 200))
    #expect(charge.grow(to: 50))
    #expect((reserve.total, budget.total) == (50, 0))
  }

  @Test func nothingChangesWhereThereIsNoRoom() {
    let charge = ReservedCharge(reserve, or: budget, uid: 1)
    #expect(charge.grow(to: 150))
    #expect(!charge.grow(to: 201))
    #expect((reserve.total, budget.total) == (0, 150))
    charge.giveBack()
    #expect((reserve.total, budget.total) == (0, 0))
  }

  @Test func whatCannotBeRefusedIsInTheReserve() {
    let charge = ReservedCharge(reserve, or: budget, uid: 1)
    #expect(charge.grow(to: 150))
    charge.follow(120)
    #expect((reserve.total, budget.total) == (120, 0))
  }
}
