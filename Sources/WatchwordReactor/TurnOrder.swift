/// Decides whose step is next: by uid, then among the takers of this uid.
@ReactorActor
final class TurnOrder {
  /// The takers of one uid.
  @ReactorActor
  final class Account {
    var place = FairPlace()
    var ready = FairQueue<TurnTaker>()

    fileprivate init() {}
  }

  /// One for each uid that has connected.
  private var accounts: [UInt32: Account] = [:]
  private var ready = FairQueue<Account>()
  /// Whose step runs now.
  private var working: TurnTaker?

  nonisolated init() {}

  var isEmpty: Bool { ready.isEmpty }

  func account(of uid: UInt32) -> Account {
    if let known = accounts[uid] { return known }
    let account = Account()
    accounts[uid] = account
    return account
  }

  func add(_ step: TurnTaker.Step, for taker: TurnTaker) {
    let wasIdle = taker.steps.isEmpty
    taker.steps.append(step)
    guard wasIdle, taker !== working else { return }
    let account = taker.account
    let isAway = account.ready.isEmpty && account !== working?.account
    account.ready.insert(taker)
    if isAway { ready.insert(account) }
  }

  /// Takes the next step, and its taker out of the order until `end`; nil when there is none.
  func begin() -> TurnTaker.Step? {
    guard let account = ready.removeFirst(), let taker = account.ready.removeFirst() else { return nil }
    working = taker
    return taker.steps.removeFirst()
  }

  /// The step of `begin` took so long. Whoever has more to do goes to the end.
  func end(after seconds: Double) {
    guard let taker = working else { return }
    working = nil
    let account = taker.account
    taker.place.charge(seconds)
    account.place.charge(seconds)
    if !taker.steps.isEmpty { account.ready.insert(taker) }
    if !account.ready.isEmpty { ready.insert(account) }
  }
}

/// What has a place in a ``FairQueue``.
@ReactorActor
protocol FairlyPlaced: AnyObject {
  var place: FairPlace { get set }
}

extension TurnTaker: FairlyPlaced {}
extension TurnOrder.Account: FairlyPlaced {}

/// Who waits, by place.
@ReactorActor
struct FairQueue<Element: FairlyPlaced> {
  private var heap = Heap<Element>()
  /// Where the turn began that was taken last.
  private var present = 0.0
  private var entered: UInt64 = 0

  nonisolated init() {}

  var isEmpty: Bool { heap.elements.isEmpty }
  var first: Element? { heap.elements.first }

  mutating func insert(_ element: Element) {
    entered += 1
    element.place.enter(at: present, order: entered)
    heap.insert(element) { $0.place.precedes($1.place) }
  }

  mutating func removeFirst() -> Element? {
    guard let first = heap.removeFirst(by: { $0.place.precedes($1.place) }) else { return nil }
    present = first.place.start
    return first
  }
}

/// Where a taker of turns stands, in the virtual time of those that it shares with.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, 1996): a turn begins where the one before ended, at the
/// earliest at the present of the others. A taker that has been idle is next, one that always works gets an
/// equal share, and unused time is not saved.
struct FairPlace {
  /// Where its next turn begins.
  private(set) var start = 0.0
  /// Where its last one ended.
  private var finish = 0.0
  /// Breaks ties, in the order of arrival.
  private(set) var order: UInt64 = 0

  /// Something is to do, at this present.
  mutating func enter(at present: Double, order: UInt64) {
    start = max(present, finish)
    self.order = order
  }

  /// Its turn took so long.
  mutating func charge(_ seconds: Double) { finish = start + seconds }

  func precedes(_ other: FairPlace) -> Bool {
    start == other.start ? order < other.order : start < other.start
  }
}
