package import WatchwordJSON
package import WatchwordSecret

/// A value of a request, and the path to it, which every error names.
///
/// What reads a value is a method of it: those here for what a schema says, and in the files `Parameter+Topic.swift`
/// those that the schema's `x-check` names, for what it cannot say.
package struct Parameter: Sendable {
  package let value: JSONValue
  /// The path of the object that has it.
  private let parent: String
  private let name: String
  /// Its place in a list of this name.
  private let index: Int?

  package init(_ value: JSONValue, of parent: String = "", _ name: String, index: Int? = nil) {
    self.value = value
    self.parent = parent
    self.name = name
    self.index = index
  }

  package var path: String {
    let member = parent.isEmpty ? name : "\(parent).\(name)"
    guard let index else { return member }
    return "\(member)[\(index)]"
  }

  package func fault(_ message: String) -> RPCError { .invalidParams(path, message) }

  private func mismatch(_ type: String) -> RPCError { fault("must be \(type), not \(value.typeName)") }

  /// Nil for null.
  package var unlessNull: Parameter? { value == .null ? nil : self }

  package func string(maximumBytes: Int = 65_536) throws(RPCError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    guard text.utf8.count <= maximumBytes else { throw fault("longer than \(maximumBytes) bytes") }
    return text
  }

  package func secret(maximumBytes: Int, minimumBytes: Int = 0) throws(RPCError) -> Secret {
    guard case .secret(let secret) = value else { throw mismatch("a string") }
    guard secret.count <= maximumBytes else { throw fault("longer than \(maximumBytes) bytes") }
    guard secret.count >= minimumBytes else { throw fault("is empty") }
    return secret
  }

  package func bool() throws(RPCError) -> Bool {
    guard case .bool(let value) = value else { throw mismatch("a boolean") }
    return value
  }

  package func integer(in range: ClosedRange<Int>) throws(RPCError) -> Int {
    guard case .integer(let integer) = value else {
      throw value.typeName == "number" ? fault("must be an integer, not a fraction") : mismatch("an integer")
    }
    guard let number = Int(exactly: integer), range.contains(number) else {
      throw fault("must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A finite number.
  package func number(in range: ClosedRange<Double>) throws(RPCError) -> Double {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .real(let real): number = real
    case .null, .bool, .string, .secret, .array, .object: throw mismatch("a number")
    }
    guard range.contains(number) else {
      throw fault("must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package func enumeration<Value: RawRepresentable & CaseIterable>(
    _ type: Value.Type
  ) throws(RPCError) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try string()) else { throw fault(Parameter.choices(Value.self)) }
    return value
  }

  package static func choices<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
  where Value.RawValue == String {
    "must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
  }

  package func object<Result>(
    _ read: (inout ParameterReader) throws(RPCError) -> Result
  ) throws(RPCError) -> Result {
    guard case .object(let object) = value else { throw mismatch("an object") }
    return try ParameterReader.decode(object, path: path, read)
  }

  package func array<Element>(
    maximum: Int, minimum: Int = 0, _ read: (Parameter) throws(RPCError) -> Element
  ) throws(RPCError) -> [Element] {
    guard case .array(let values) = value else { throw mismatch("an array") }
    guard values.count <= maximum else { throw fault("has more than \(maximum) elements") }
    guard values.count >= minimum else { throw fault("is empty") }
    var result: [Element] = []
    result.reserveCapacity(values.count)
    let (parent, name) = index == nil ? (self.parent, self.name) : ("", path)
    for (index, value) in values.enumerated() {
      result.append(try read(Parameter(value, of: parent, name, index: index)))
    }
    return result
  }

  package func strings(maximum: Int = 1024, minimum: Int = 0) throws(RPCError) -> [String] {
    try array(maximum: maximum, minimum: minimum) { element throws(RPCError) in
      try element.string(maximumBytes: Int.max)
    }
  }
}
