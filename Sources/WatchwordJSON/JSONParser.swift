internal import WatchwordVocabulary

/// JSON text to ``JSONNode`` or ``JSONValue``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. The memory of what was read is
/// wiped when it is freed. In a ``JSONValue``, members with a secret name go straight from it into a
/// ``Secret``.
package struct JSONParser: Sendable {
  private let limits: JSONLimits
  private let secretMembers: SecretMembers

  package init(limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []) {
    self.limits = limits
    self.secretMembers = SecretMembers(secretMembers)
  }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    value(of: try node(bytes), isSecret: false)
  }

  /// The same, left where it was read to.
  package func node(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    JSONNode(rootOf: try JSONTree(reading: bytes, within: limits))
  }

  private func value(of node: JSONNode, isSecret: Bool) -> JSONValue {
    switch node.kind {
    case .null: .null
    case .bool: .bool(node.bool == true)
    case .integer: .integer(node.integer ?? 0)
    case .real: .real(node.real ?? 0)
    case .string: isSecret ? .secret(node.secret ?? Secret([])) : .string(node.text ?? "")
    case .array: .array(node.elements.map { value(of: $0, isSecret: false) })
    case .object: .object(object(of: node))
    }
  }

  private func object(of node: JSONNode) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(node.count)
    node.forEachMember { name, member in
      let isSecret = secretMembers.contains(name)
      members.append(JSONObject.Member(name: name.text, value: value(of: member, isSecret: isSecret)))
      return true
    }
    return JSONObject(members)
  }
}

/// The names of members that hold secrets.
private struct SecretMembers: Sendable {
  private let names: [[UInt8]]
  /// Bit n is set when a name of n bytes is among them: nearly every member is told apart by that alone.
  private let lengths: UInt64

  init(_ names: Set<String>) {
    self.names = names.map { Array($0.utf8) }
    lengths = self.names.reduce(0) { $0 | 1 << UInt64($1.count & 63) }
  }

  func contains(_ name: JSONNode.Name) -> Bool {
    guard lengths & 1 << UInt64(name.bytes.count & 63) != 0 else { return false }
    return names.contains { $0.count == name.bytes.count && $0.elementsEqual(name.bytes) }
  }
}
