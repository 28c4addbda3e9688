import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct ReservedChargeTests {
  init() { LoopThread.started }

  /// A charge in a reserve of 100 bytes or in a budget of 200.
  @ReactorActor private struct Scene {
    let reserve = MemoryBudget(limit: 100)
    let budget = MemoryBudget(limit: 200)
    let charge: ReservedCharge

    init() { charge = ReservedCharge(reserve, or: budget, uid: 1) }

    var totals: [Int] { [reserve.total, budget.total] }
  }

  @Test @ReactorActor func itIsInTheReserveOrWithTheRest() {
    let scene = Scene()
    #expect(scene.charge.grow(to: 100))
    #expect(scene.totals == [100, 0])
    #expect(scene.charge.grow(to: 200))
    #expect(scene.totals == [0, 200])
    #expect(scene.charge.grow(to: 50))
    #expect(scene.totals == [50, 0])
  }

  @Test @ReactorActor func nothingChangesWhereThereIsNoRoom() {
    let scene = Scene()
    #expect(scene.charge.grow(to: 150))
    #expect(!scene.charge.grow(to: 201))
    #expect(scene.totals == [0, 150])
    scene.charge.giveBack()
    #expect(scene.totals == [0, 0])
  }

  @Test @ReactorActor func whatCannotBeRefusedIsInTheReserve() {
    let scene = Scene()
    #expect(scene.charge.grow(to: 150))
    scene.charge.follow(120)
    #expect(scene.totals == [120, 0])
  }
}
