package import WatchwordJSON

/// The members of an object that was received.
///
/// The daemon may be of another version. Members that are not asked for do not count, and a member that is
/// missing, or null where it cannot be, says as little as its type can; one of another type is a fault.
package struct ReadObject: Sendable {
  /// Nil: nothing is there.
  private let object: JSONNode?

  static let empty = ReadObject()

  private init() { object = nil }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard node.kind == .object else { throw .expected("an object", node) }
    object = node
  }

  package func member<Value: Readable>(_ name: String) throws(ReadFault) -> Value {
    let value = object?[name]
    if value?.isNull ?? true, let absent = Value.absent { return absent }
    guard let value else { throw ReadFault("is missing", at: name) }
    return try read(value, name)
  }

  /// Nil when there is no such member.
  package func memberIfPresent<Value: Readable>(_ name: String) throws(ReadFault) -> Value? {
    guard let value = object?[name] else { return nil }
    return try read(value, name)
  }

  /// An object whose names are not in the contract.
  package func pairs<Value: Readable>(_ name: String) throws(ReadFault) -> [(name: String, value: Value)] {
    try pairsIfPresent(name) ?? []
  }

  /// Nil when there is no such member.
  package func pairsIfPresent<Value: Readable>(
    _ name: String
  ) throws(ReadFault) -> [(name: String, value: Value)]? {
    guard let value = object?[name], !value.isNull else { return nil }
    guard value.kind == .object else { throw ReadFault.expected("an object", value).within(name) }
    var pairs: [(name: String, value: Value)] = []
    var fault: ReadFault?
    value.forEachMember { member, node in
      do throws(ReadFault) {
        pairs.append((member.text, try read(node, member.text)))
      } catch {
        fault = error.within(name)
      }
      return fault == nil
    }
    if let fault { throw fault }
    return pairs
  }

  private func read<Value: Readable>(_ node: JSONNode, _ name: String) throws(ReadFault) -> Value {
    do { return try Value(reading: node) } catch { throw error.within(name) }
  }
}
