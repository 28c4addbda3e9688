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
