/// A binary heap: the first element is found at once. The user says with each change which of two comes
/// first, always by the same rule.
struct Heap<Element> {
  /// None comes before the one at half its index (from 1); sorted elements are a heap, too.
  private(set) var elements: [Element]

  init(sorted elements: [Element] = []) { self.elements = elements }

  mutating func insert(_ element: Element, by precedes: (Element, Element) -> Bool) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard precedes(elements[index], elements[parent]) else { return }
      elements.swapAt(index, parent)
      index = parent
    }
  }

  mutating func removeFirst(by precedes: (Element, Element) -> Bool) -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
        if precedes(elements[child], elements[least]) { least = child }
      }
      guard least != index else { return first }
      elements.swapAt(index, least)
      index = least
    }
  }
}
