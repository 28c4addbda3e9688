internal import WatchwordPrimitives

/// A JSON object: a short list of members, in the order in which they were written, without duplicates.
///
/// Names are told apart byte by byte: two that Unicode holds equal may both be there.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package struct Member: Sendable, Equatable {
    package let name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package var members: [Member]

  package init(_ members: [Member] = []) { self.members = members }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(name: $0.0, value: $0.1) }
  }

  package subscript(name: String) -> JSONValue? { index(of: name).map { members[$0].value } }

  /// Where the member of this name is in `members`.
  package func index(of name: String) -> Int? {
    for index in members.indices where members[index].name.hasBytes(of: name) { return index }
    return nil
  }
}
