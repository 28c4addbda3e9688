package import WatchwordJSON

/// The members of an object that was received.
///
/// The daemon may be of another version. Members that are not asked for do not count, and a member that is
/// missing, or null where it cannot be, says as little as its type can; one of another type is a fault.
package struct ReadObject: Sendable {
  private let object: JSONObject

  /// Nothing is there.
  static let empty = ReadObject([:])

  private init(_ object: JSONObject) { self.object = object }

  package init(reading value: JSONValue) throws(ReadFault) {
    guard case .object(let object) = value else { throw .expected("an object", value) }
    self.object = object
  }

  package func member<Value: Readable>(_ name: String) throws(ReadFault) -> Value {
    let value = object[name]
    if value == nil || value == .null, let absent = Value.absent { return absent }
    guard let value else { throw ReadFault("is missing", at: name) }
    return try read(value, name)
  }

  /// Nil when there is no such member.
  package func memberIfPresent<Value: Readable>(_ name: String) throws(ReadFault) -> Value? {
    guard let value = object[name] else { return nil }
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
    guard let value = object[name], value != .null else { return nil }
    guard case .object(let inner) = value else { throw ReadFault.expected("an object", value).within(name) }
    var pairs: [(name: String, value: Value)] = []
    for member in inner.members {
      do { pairs.append((member.name, try read(member.value, member.name))) } catch {
        throw error.within(name)
      }
    }
    return pairs
  }

  private func read<Value: Readable>(_ value: JSONValue, _ name: String) throws(ReadFault) -> Value {
    do { return try Value(reading: value) } catch { throw error.within(name) }
  }
}
