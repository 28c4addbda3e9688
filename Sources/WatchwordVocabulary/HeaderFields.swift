extension [HeaderField] {
  /// The values of every field called `name` (given in lower case), in order.
  package func values(of name: String) -> [String] {
    compactMap { $0.isNamed(name) ? $0.value : nil }
  }

  /// The same as received.
  package func octetStrings(of name: String) -> [OctetString] {
    compactMap { $0.isNamed(name) ? $0.octetString : nil }
  }

  package func first(_ name: String) -> String? {
    first { $0.isNamed(name) }?.value
  }
}
