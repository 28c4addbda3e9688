/// Deadlines by key, and which is the earliest.
///
/// It is read after every event, so reading must not visit every pending key.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Item: Sendable {
    let time: Double
    let key: Key
  }

  /// Up to this many outdated items are not removed.
  private static var fewItems: Int { 64 }

  private var times: [Key: Double] = [:]
  /// A binary heap; an item is valid only while `times` holds the same time.
  private var heap: [Item] = []

  init() {}

  /// Nil when there is no deadline.
  var soonest: Double? { heap.first?.time }

  mutating func set(_ key: Key, to time: Double?) {
    guard times[key] != time else { return }
    times[key] = time
    if let time { push(Item(time: time, key: key)) }
    if heap.count > DeadlineQueue.fewItems, heap.count > times.count * 2 { rebuild() }
    dropOutdated()
  }

  /// The keys that are due, the earliest first, and no more than `limit`; they stay until they are set again.
  func due(at now: Double, atMost limit: Int = .max) -> [Key] {
    guard let soonest, soonest <= now else { return [] }
    if limit >= heap.count {
      return heap.filter { $0.time <= now && times[$0.key] == $0.time }
        .sorted { $0.time < $1.time }.map(\.key)
    }
    var keys: [Key] = []
    // Those whose parents in the heap have been looked at.
    var next = [0]
    while keys.count < limit,
      let place = next.indices.min(by: { heap[next[$0]].time < heap[next[$1]].time })
    {
      let index = next.remove(at: place)
      let item = heap[index]
      guard item.time <= now else { break }
      if times[item.key] == item.time { keys.append(item.key) }
      next += [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
    }
    return keys
  }

  private mutating func dropOutdated() {
    while let first = heap.first, times[first.key] != first.time { popFirst() }
  }

  private mutating func rebuild() {
    heap = times.map { Item(time: $0.value, key: $0.key) }.sorted { $0.time < $1.time }
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
      guard let least = children.min(by: { heap[$0].time < heap[$1].time }),
        heap[least].time < heap[parent].time
      else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
