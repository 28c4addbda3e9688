/// One header field; the name as it was spelled.
package struct HeaderField: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the field is called `name`, which is given in lower case.
  package func isNamed(_ name: String) -> Bool {
    guard self.name.utf8.count == name.utf8.count else { return false }
    // Without making a string: this is asked many times for each response.
    var rest = self.name.utf8.makeIterator()
    for lower in name.utf8 {
      guard let own = rest.next(), own == lower || (own | 0x20 == lower && lower >= 0x61 && lower <= 0x7A)
      else {
        return false
      }
    }
    return true
  }
}

extension [HeaderField] {
  /// The values of every field called `name` (given in lower case), in order.
  package func values(of name: String) -> [String] {
    compactMap { $0.name.utf8.count == name.utf8.count && $0.isNamed(name) ? $0.value : nil }
  }

  package func first(_ name: String) -> String? {
    first { $0.name.utf8.count == name.utf8.count && $0.isNamed(name) }?.value
  }
}
