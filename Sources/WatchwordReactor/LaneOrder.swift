/// Which work begins: that of an account in a lane, as on a file system, when neither has as much running as
/// it may.
///
/// Work that waits for its account holds no place of a lane, and the other way round.
package struct LaneOrder<Work: Sendable>: Sendable {
  /// Pieces of work that may run at the same time in a lane, and for an account.
  private let laneWidth, accountWidth: Int
  private var lanes: [UInt64: Side<UInt32>] = [:]
  private var accounts: [UInt32: Side<UInt64>] = [:]
  /// In the order in which it came.
  private var waiting: [Place: ArrivalQueue<Work>] = [:]

  private struct Place: Hashable {
    let account: UInt32
    let lane: UInt64
  }

  /// An account or a lane.
  private struct Side<Other: Hashable & Sendable>: Sendable {
    var running = 0
    /// With which there is work that waits, in the order of their turns.
    var others: [Other] = []

    var isUnused: Bool { running == 0 && others.isEmpty }

    mutating func remove(_ other: Other) { others.removeAll { $0 == other } }
  }

  package init(laneWidth: Int, accountWidth: Int) {
    self.laneWidth = max(1, laneWidth)
    self.accountWidth = max(1, accountWidth)
  }

  /// The work, if it begins now; otherwise ``ended(account:lane:)`` gives it when it is its turn.
  package mutating func add(_ work: Work, account: UInt32, lane: UInt64) -> Work? {
    let place = Place(account: account, lane: lane)
    if waiting[place] == nil {
      guard !hasRoom(place) else {
        begin(place)
        return work
      }
      queue(place)
    }
    waiting[place, default: ArrivalQueue()].append(work)
    return nil
  }

  /// What begins when a piece of work has ended.
  package mutating func ended(account: UInt32, lane: UInt64) -> [Work] {
    accounts[account]?.running -= 1
    lanes[lane]?.running -= 1
    var begun: [Work] = []
    let ofLane = lanes[lane]?.others.map { Place(account: $0, lane: lane) }
    if let place = ofLane?.first(where: { hasRoom($0) }), let work = dequeue(place) { begun.append(work) }
    let ofAccount = accounts[account]?.others.map { Place(account: account, lane: $0) }
    if let place = ofAccount?.first(where: { hasRoom($0) }), let work = dequeue(place) { begun.append(work) }
    if accounts[account]?.isUnused == true { accounts[account] = nil }
    if lanes[lane]?.isUnused == true { lanes[lane] = nil }
    return begun
  }

  private func hasRoom(_ place: Place) -> Bool {
    lanes[place.lane]?.running ?? 0 < laneWidth
      && accounts[place.account]?.running ?? 0 < accountWidth
  }

  private mutating func begin(_ place: Place) {
    lanes[place.lane, default: Side()].running += 1
    accounts[place.account, default: Side()].running += 1
  }

  private mutating func queue(_ place: Place) {
    lanes[place.lane, default: Side()].others.append(place.account)
    accounts[place.account, default: Side()].others.append(place.lane)
  }

  /// Of a place that has room; what waits there longer has its turn after the others.
  private mutating func dequeue(_ place: Place) -> Work? {
    lanes[place.lane]?.remove(place.account)
    accounts[place.account]?.remove(place.lane)
    let work = waiting[place]?.removeFirst()
    if waiting[place]?.isEmpty != false { waiting[place] = nil } else { queue(place) }
    if work != nil { begin(place) }
    return work
  }
}

/// Elements in the order in which they came.
struct ArrivalQueue<Element> {
  /// Those before `next` have been taken, and are nil.
  private var elements: [Element?] = []
  private var next = 0

  var isEmpty: Bool { next == elements.count }
  var count: Int { elements.count - next }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() -> Element? {
    guard next < elements.count else { return nil }
    let first = elements[next].take()
    next += 1
    // Moves at most as many as have been taken since the last time.
    if next * 2 >= elements.count {
      elements.removeFirst(next)
      next = 0
    }
    return first
  }
}

extension ArrivalQueue: Sendable where Element: Sendable {}
