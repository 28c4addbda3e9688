package import WatchwordJSON
package import WatchwordSecret

/// Reads an object of a request member by member, and keeps the path for errors.
///
/// Every member must be read: `finish` refuses the others, so that a misspelt limit is never ignored.
package struct ParameterReader {
  package let path: String
  private let object: JSONObject
  /// Which members have been read, in their order.
  private var isKnown: [Bool]

  package init(_ object: JSONObject?, path: String = "params") {
    self.object = object ?? [:]
    isKnown = Array(repeating: false, count: self.object.members.count)
    self.path = path
  }

  package static func decode<Result>(
    _ object: JSONObject?, path: String = "params", _ body: (inout ParameterReader) throws(RPCError) -> Result
  ) throws(RPCError) -> Result {
    var reader = ParameterReader(object, path: path)
    let result = try body(&reader)
    try reader.finish()
    return result
  }

  /// Refuses members that no method reads.
  package func finish() throws(RPCError) {
    guard let unknown = isKnown.firstIndex(of: false) else { return }
    throw fault(object.members[unknown].shortName, "unknown member")
  }

  package func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  package func fault(_ name: String, _ message: String) -> RPCError { .invalidParams(path(name), message) }

  // MARK: Members

  /// The raw member; nil when it is absent.
  package mutating func member(_ name: String) -> JSONValue? {
    guard let index = object.index(of: name) else { return nil }
    isKnown[index] = true
    return object.members[index].value
  }

  /// All members of an object whose names the caller chooses.
  package mutating func members(maximum: Int) throws(RPCError) -> [JSONObject.Member] {
    guard object.members.count <= maximum else {
      throw .invalidParams(path, "has more than \(maximum) members")
    }
    isKnown = Array(repeating: true, count: isKnown.count)
    return object.members
  }

  package var memberNames: [String] { object.members.map(\.name) }

  package mutating func optionalString(_ name: String, maximumBytes: Int = 65_536) throws(RPCError) -> String?
  {
    switch member(name) {
    case nil: return nil
    case .string(let text):
      guard text.utf8.count <= maximumBytes else { throw fault(name, "longer than \(maximumBytes) bytes") }
      return text
    case .some(let other): throw fault(name, "must be a string, not \(other.typeName)")
    }
  }

  package mutating func string(_ name: String, maximumBytes: Int = 65_536) throws(RPCError) -> String {
    guard let text = try optionalString(name, maximumBytes: maximumBytes) else {
      throw fault(name, "is missing")
    }
    return text
  }

  /// Longer than any header field that could carry it; the bytes of secrets are locked memory.
  package static let maximumSecretBytes = 65_536

  package mutating func optionalSecret(
    _ name: String, maximumBytes: Int = ParameterReader.maximumSecretBytes
  ) throws(RPCError) -> Secret? {
    switch member(name) {
    case nil: return nil
    case .secret(let secret):
      guard secret.count <= maximumBytes else { throw fault(name, "longer than \(maximumBytes) bytes") }
      return secret
    case .some(let other): throw fault(name, "must be a string, not \(other.typeName)")
    }
  }

  package mutating func optionalBool(_ name: String) throws(RPCError) -> Bool? {
    switch member(name) {
    case nil: return nil
    case .bool(let value): return value
    case .some(let other): throw fault(name, "must be a boolean, not \(other.typeName)")
    }
  }

  package mutating func optionalInteger(
    _ name: String, in range: ClosedRange<Int64>
  ) throws(RPCError) -> Int64? {
    switch member(name) {
    case nil: return nil
    case .integer(let value) where range.contains(value): return value
    case .integer: throw fault(name, "must be from \(range.lowerBound) to \(range.upperBound)")
    case .some(let other):
      throw fault(
        name, "must be an integer, not \(other.typeName == "number" ? "a fraction" : other.typeName)")
    }
  }

  /// A finite number.
  package mutating func optionalNumber(
    _ name: String, in range: ClosedRange<Double>
  ) throws(RPCError) -> Double? {
    let value: Double
    switch member(name) {
    case nil: return nil
    case .integer(let integer): value = Double(integer)
    case .real(let real): value = real
    case .some(let other): throw fault(name, "must be a number, not \(other.typeName)")
    }
    guard range.contains(value) else {
      throw fault(name, "must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// A time limit in seconds: above zero, up to ten years.
  package mutating func optionalTimeout(_ name: String) throws(RPCError) -> Double? {
    try optionalNumber(name, in: 0.001...ParameterReader.maximumSeconds)
  }

  /// Seconds, up to ten years.
  package mutating func optionalSeconds(_ name: String) throws(RPCError) -> Double? {
    try optionalNumber(name, in: 0...ParameterReader.maximumSeconds)
  }

  package static let maximumSeconds = 315_360_000.0

  package mutating func optionalEnumeration<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Value.Type = Value.self
  ) throws(RPCError) -> Value? where Value.RawValue == String {
    guard let text = try optionalString(name) else { return nil }
    guard let value = Value(rawValue: text) else { throw fault(name, ParameterReader.choices(Value.self)) }
    return value
  }

  package mutating func enumeration<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Value.Type = Value.self
  ) throws(RPCError) -> Value where Value.RawValue == String {
    guard let value = try optionalEnumeration(name, Value.self) else { throw fault(name, "is missing") }
    return value
  }

  package static func choices<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
  where Value.RawValue == String {
    "must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
  }

  package mutating func optionalObject<Result>(
    _ name: String, _ body: (inout ParameterReader) throws(RPCError) -> Result
  ) throws(RPCError) -> Result? {
    switch member(name) {
    case nil: return nil
    case .object(let object): return try ParameterReader.decode(object, path: path(name), body)
    case .some(let other): throw fault(name, "must be an object, not \(other.typeName)")
    }
  }

  package mutating func object<Result>(
    _ name: String, _ body: (inout ParameterReader) throws(RPCError) -> Result
  ) throws(RPCError) -> Result {
    guard let result = try optionalObject(name, body) else { throw fault(name, "is missing") }
    return result
  }

  package mutating func optionalArray<Element>(
    _ name: String, maximum: Int, _ element: (JSONValue, String) throws(RPCError) -> Element
  ) throws(RPCError) -> [Element]? {
    switch member(name) {
    case nil: return nil
    case .array(let values):
      guard values.count <= maximum else { throw fault(name, "has more than \(maximum) elements") }
      var result: [Element] = []
      result.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        result.append(try element(value, "\(path(name))[\(index)]"))
      }
      return result
    case .some(let other): throw fault(name, "must be an array, not \(other.typeName)")
    }
  }

  package mutating func optionalStrings(_ name: String, maximum: Int = 1024) throws(RPCError) -> [String]? {
    try optionalArray(name, maximum: maximum) { value, path throws(RPCError) in
      guard case .string(let text) = value else {
        throw .invalidParams(path, "must be a string, not \(value.typeName)")
      }
      return text
    }
  }
}

extension JSONObject.Member {
  /// The part of the name that an error repeats. Limited in scalars, because a character may have any length.
  var shortName: String { String(name.unicodeScalars.prefix(64)) }
}
