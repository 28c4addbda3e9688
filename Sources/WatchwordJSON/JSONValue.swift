package import WatchwordVocabulary

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

  /// The members of what was read; none of what is no object.
  package init(_ node: JSONNode) {
    var members: [Member] = []
    members.reserveCapacity(node.count)
    node.forEachMember { name, value in
      members.append(Member(name: name.text, value: JSONValue(value)))
      return true
    }
    self.init(members)
  }

  package subscript(name: String) -> JSONValue? { index(of: name).map { members[$0].value } }

  /// Where the member of this name is in `members`.
  package func index(of name: String) -> Int? {
    for index in members.indices where members[index].name.hasBytes(of: name) { return index }
    return nil
  }
}

/// A value that is put together, to be written or compared. Members keep their order; numbers are integers of
/// 64 bits or reals.
///
/// What is read is a ``JSONNode``, of which a part can be put into another value.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  /// A string that is never a `String` on the way.
  case secret(Secret)
  case array([JSONValue])
  case object(JSONObject)

  /// What was read; a text of it is no secret.
  package init(_ node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .bool: self = .bool(node.bool == true)
    case .integer: self = .integer(node.integer ?? 0)
    case .real: self = .real(node.real ?? 0)
    case .string: self = .string(node.text ?? "")
    case .array: self = .array(node.elements.map(JSONValue.init))
    case .object: self = .object(JSONObject(node))
    }
  }
}
