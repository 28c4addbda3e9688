import Glibc
import Testing
import WatchwordTestSupport

@testable import WatchwordReactor

/// Turns go round by uid, then by those of one uid; whoever has cost least is next.
@Suite(.serialized) struct TurnTests {
  init() { LoopThread.started }

  private static func spend(_ seconds: Double) {
    let end = EventLoop.monotonicSeconds() + seconds
    while EventLoop.monotonicSeconds() < end {}
  }

  /// Runs `begin` in the first step; the names that steps note, until one is called the end.
  @ReactorActor
  private static func names(
    _ begin: @escaping @ReactorActor (@escaping @ReactorActor (String) -> Void) -> Void
  ) async
    -> [String]
  {
    await withCheckedContinuation { continuation in
      var names: [String] = []
      EventLoop.shared.taker(of: 1).add {
        begin { name in
          guard name != "end" else { return continuation.resume(returning: names) }
          names.append(name)
        }
      }
    }
  }

  @Test @ReactorActor func whoeverComesNewIsNext() async {
    let names = await Self.names { note in
      let (busy, new) = (EventLoop.shared.taker(of: 2), EventLoop.shared.taker(of: 2))
      for number in 0..<5 {
        busy.add {
          Self.spend(0.003)
          note("busy")
          if number == 1 { new.add { note("new") } }
          if number == 4 { note("end") }
        }
      }
    }
    #expect(names == ["busy", "busy", "new", "busy", "busy", "busy"])
  }

  @Test @ReactorActor func manyOfOneUserWaitForOneOfAnother() async {
    let names = await Self.names { note in
      for number in 0..<20 {
        EventLoop.shared.taker(of: 3).add {
          Self.spend(0.001)
          note("many")
          if number == 0 { EventLoop.shared.taker(of: 4).add { note("one") } }
          if number == 19 { note("end") }
        }
      }
    }
    #expect(names == ["many", "one"] + [String](repeating: "many", count: 19))
  }

  /// More descriptors are ready than the kernel used to tell in one turn, and each turn has time for one step.
  @Test @ReactorActor func oneOfAnotherUserIsSeenBesideHundredsThatAreReady() async throws {
    let pipe = try Pipe()
    pipe.write("x")
    let (many, one) = (EventLoop.shared.taker(of: 5), EventLoop.shared.taker(of: 6))
    let watches = Recorded<Watch>()
    let names = await Self.names { note in
      @ReactorActor func watch(_ taker: TurnTaker, _ handler: @escaping @ReactorActor () -> Void) {
        let copy = dup(pipe.reader)
        guard copy >= 0,
          let watch = try? EventLoop.shared.watch(copy, for: .readable, in: taker, { _ in handler() })
        else { return note("not watched") }
        watches.values.append(watch)
      }
      for _ in 0..<600 {
        watch(many) {
          Self.spend(0.012)
          note("many")
        }
      }
      watch(one) {
        note("one")
        for watch in watches.values {
          watch.cancel()
          close(watch.descriptor)
        }
        note("end")
      }
    }
    #expect(names == ["many", "one"])
  }

  /// Takes `count` steps of an order in which each of these takers always has one to do; says whose they were.
  @ReactorActor
  private static func turns(_ count: Int, _ takers: [(name: String, uid: UInt32, cost: Double)]) -> String {
    let order = TurnOrder()
    let made = takers.map { TurnTaker(order.account(of: $0.uid), EventLoop.shared) }
    var last = 0
    func add(_ index: Int) { order.add(.run { last = index }, for: made[index]) }
    for index in takers.indices { add(index) }
    var names = ""
    for _ in 0..<count {
      guard case .run(let step)? = order.begin() else { return names }
      step()
      names += takers[last].name
      add(last)
      order.end(after: takers[last].cost)
    }
    return names
  }

  @Test @ReactorActor func timeIsSharedAndNotTurns() {
    #expect(Self.turns(12, [("a", 1, 3), ("b", 1, 1)]) == "abbbabbbabbb")
    // Each uid has a half of it, however many work for it.
    let names = Self.turns(1200, [("a", 1, 1), ("b", 1, 1), ("c", 1, 1), ("d", 2, 1)])
    #expect(names.count { $0 == "d" } == 600 && names.count { $0 == "b" } == 200)
  }

  @Test @ReactorActor func stepsAreDoneBesideTimersThatAreDueTogether() async {
    let names = await Self.names { note in
      for number in 0..<100 {
        _ = EventLoop.shared.schedule(after: 0) {
          if number == 0 { EventLoop.shared.taker(of: 7).add { note("step") } }
          Self.spend(0.001)
          note("timer")
          if number == 99 { note("end") }
        }
      }
    }
    #expect(names.count == 101 && names.last == "timer")
  }

  @Test @ReactorActor func stepsOfOneRunInTheirOrder() async {
    let names = await Self.names { note in
      let taker = EventLoop.shared.taker(of: 6)
      for number in 0..<1000 { taker.add { note("\(number)") } }
      taker.add { note("end") }
    }
    #expect(names == (0..<1000).map(String.init))
  }

  @Test @ReactorActor func aStepThatCanBeDividedKnowsWhenItIsOver() async {
    #expect(EventLoop.shared.isStepOver)
    let names = await Self.names { note in
      note("\(EventLoop.shared.isStepOver)")
      Self.spend(0.01)
      note("\(EventLoop.shared.isStepOver)")
      note("end")
    }
    #expect(names == ["false", "true"])
  }
}
