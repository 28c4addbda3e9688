extension Sequence {
  /// In the order of a value that each of them has. Equal ones stay in the order in which they are.
  package func sorted<Value: Comparable>(on value: (Element) -> Value) -> [Element] {
    sorted { value($0) < value($1) }
  }

  /// The first one of those that have the least value.
  func min<Value: Comparable>(on value: (Element) -> Value) -> Element? {
    self.min { value($0) < value($1) }
  }
}
