/// Elements without duplicates, of which one may be first; every change is made in constant time.
///
/// The order of the others is undefined: the last one moves to where one was removed, or was taken to be the
/// first.
struct IndexedSet<Element: Hashable & Sendable>: Sendable {
  private(set) var elements: [Element] = []
  private var places: [Element: Int] = [:]

  var isEmpty: Bool { elements.isEmpty }
  var first: Element? { elements.first }

  func contains(_ element: Element) -> Bool { places[element] != nil }

  mutating func append(_ element: Element) {
    guard places[element] == nil else { return }
    places[element] = elements.count
    elements.append(element)
  }

  mutating func remove(_ element: Element) {
    guard let place = places[element] else { return }
    exchange(place, elements.count - 1)
    elements.removeLast()
    places[element] = nil
  }

  mutating func removeFirst() -> Element? {
    defer { if let first { remove(first) } }
    return first
  }

  mutating func moveToFront(_ element: Element) {
    if let place = places[element] { exchange(place, 0) }
  }

  private mutating func exchange(_ place: Int, _ other: Int) {
    guard place != other else { return }
    elements.swapAt(place, other)
    places[elements[place]] = place
    places[elements[other]] = other
  }
}
