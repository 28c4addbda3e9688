package import WatchwordJSON

/// Accessors for the daemon's messages: nil when a member is missing or has another type.
extension JSONValue {
  package subscript(name: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[name]
  }

  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  package var integer: Int64? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }

  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }

  package var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  /// The elements of an array; empty for everything else.
  package var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The members of an object; empty for everything else.
  package var members: [JSONObject.Member] {
    guard case .object(let object) = self else { return [] }
    return object.members
  }

  /// Header fields, `[[name, value]…]`.
  package var fields: [(name: String, value: String)] {
    elements.compactMap { field in
      guard let name = field.elements.first?.text, let value = field.elements.last?.text else { return nil }
      return (name, value)
    }
  }
}
