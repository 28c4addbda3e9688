/// Whose turn it is: one connection of a caller, or the exchanges of one session. Steps of one taker run in
/// the order in which they were added.
@ReactorActor
package final class TurnTaker {
  /// One piece of work, as large as cannot be divided.
  enum Step {
    /// The handler of a watch, for what its descriptor is ready for.
    case watch(Watch)
    case run(@ReactorActor () -> Void)
  }

  let account: TurnOrder.Account
  /// In the time of its account.
  var place = FairPlace()
  var steps = ArrivalQueue<TurnTaker.Step>()
  private let loop: EventLoop

  init(_ account: TurnOrder.Account, _ loop: EventLoop) {
    self.account = account
    self.loop = loop
  }

  /// Runs `step` when it is this taker's turn, not from inside this call.
  package func add(_ step: @escaping @ReactorActor () -> Void) { loop.order.add(.run(step), for: self) }

  /// Does something with one element after the other, in as many steps as that takes, and goes on with
  /// `then`. The first ones are done at once, and all of them if the step that runs is long enough.
  package func forEach<Element>(
    _ elements: ArraySlice<Element>, _ body: @escaping @ReactorActor (Element) -> Void,
    then: @escaping @ReactorActor () -> Void
  ) {
    var rest = elements
    proceed {
      guard let element = rest.popFirst() else { return false }
      body(element)
      return !rest.isEmpty
    } then: {
      then()
    }
  }

  /// The same for work that is not a list: `next` does one piece, and says whether there is another one.
  package func proceed(
    _ next: @escaping @ReactorActor () -> Bool, then: @escaping @ReactorActor () -> Void
  ) {
    while next() {
      if loop.isStepOver { return add { self.proceed(next, then: then) } }
    }
    then()
  }
}

extension EventLoop {
  /// A new taker of turns. Turns go round by uid, and then by the takers of each.
  @ReactorActor
  package func taker(of uid: UInt32) -> TurnTaker { TurnTaker(order.account(of: uid), self) }
}
