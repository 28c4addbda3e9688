/// Deadlines by key, and which is the earliest.
///
/// It is read after every event, so reading must not visit every pending key.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Item: Sendable {
    let time: Double
    let key: Key
    /// Of the setting that it is of: a key may be set back to a time that it had before.
    let number: UInt64
  }

  /// Up to this many outdated items are not removed.
  private static var fewItems: Int { 64 }

  private var items: [Key: Item] = [:]
  /// A binary heap; an item is valid only while `items` holds it.
  private var heap: [Item] = []
  private var lastNumber: UInt64 = 0

  init() {}

  /// Nil when there is no deadline.
  var soonest: Double? { heap.first?.time }

  mutating func set(_ key: Key, to time: Double?) {
    guard items[key]?.time != time else { return }
    lastNumber += 1
    items[key] = time.map { Item(time: $0, key: key, number: lastNumber) }
    if let item = items[key] { push(item) }
    if heap.count > DeadlineQueue.fewItems, heap.count > items.count * 2 { rebuild() }
    dropOutdated()
  }

  /// The keys that are due, the earliest first, and no more than `limit`; they stay until they are set again.
  func due(at now: Double, atMost limit: Int = .max) -> [Key] {
    guard let soonest, soonest <= now else { return [] }
    if limit >= heap.count {
      return heap.filter { $0.time <= now && isValid($0) }
        .sorted(on: \.time).map(\.key)
    }
    var keys: [Key] = []
    // Those whose parents in the heap have been looked at.
    var next = [0]
    while keys.count < limit,
      let place = next.indices.min(on: { heap[next[$0]].time })
    {
      let index = next.remove(at: place)
      let item = heap[index]
      guard item.time <= now else { break }
      if isValid(item) { keys.append(item.key) }
      next += [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
    }
    return keys
  }

  private mutating func dropOutdated() {
    while let first = heap.first, !isValid(first) { popFirst() }
  }

  private func isValid(_ item: Item) -> Bool { items[item.key]?.number == item.number }

  private mutating func rebuild() {
    heap = items.values.sorted(on: \.time)
  }

  private mutating func push(_ item: Item) {
    heap.append(item)
    var child = heap.count - 1
    while child > 0, heap[child].time < heap[(child - 1) / 2].time {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(on: { heap[$0].time }),
        heap[least].time < heap[parent].time
      else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
