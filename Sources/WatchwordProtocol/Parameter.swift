package import WatchwordJSON
package import WatchwordVocabulary

/// A value of a request, and the path to it, which every error names.
///
/// What reads a value is a method of it: those here for what a schema says, and in the files
/// `Parameter+Topic.swift` those that the schema's `x-check` names, for what it cannot say.
package struct Parameter: Sendable {
  package let value: JSONNode
  /// The path of the object that has it.
  private let parent: String
  private let name: String
  /// Its place in a list of this name.
  private let index: Int?

  package init(_ value: JSONNode, of parent: String = "", _ name: String, index: Int? = nil) {
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
  package var unlessNull: Parameter? { value.isNull ? nil : self }

  package func string(maximumBytes: Int = 65_536, minimumBytes: Int = 0) throws(RPCError) -> String {
    try checkCount(minimumBytes...maximumBytes)
    return value.text ?? ""
  }

  package func secret(maximumBytes: Int, minimumBytes: Int = 0) throws(RPCError) -> Secret {
    try checkCount(minimumBytes...maximumBytes)
    guard let secret = value.secret else { throw mismatch("a string") }
    return secret
  }

  /// Of the bytes of a string.
  private func checkCount(_ range: ClosedRange<Int>) throws(RPCError) {
    guard let count = value.textCount else { throw mismatch("a string") }
    guard count <= range.upperBound else { throw fault("longer than \(range.upperBound) bytes") }
    guard count >= range.lowerBound else {
      throw fault(count == 0 ? "is empty" : "shorter than \(range.lowerBound) bytes")
    }
  }

  package func bool() throws(RPCError) -> Bool {
    guard let bool = value.bool else { throw mismatch("a boolean") }
    return bool
  }

  package func integer(in range: ClosedRange<Int>) throws(RPCError) -> Int {
    guard let integer = value.integer else {
      throw value.kind == .real ? fault("must be an integer, not a fraction") : mismatch("an integer")
    }
    guard let number = Int(exactly: integer), range.contains(number) else {
      throw fault("must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A finite number.
  package func number(in range: ClosedRange<Double>) throws(RPCError) -> Double {
    guard let number = value.number else { throw mismatch("a number") }
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
    guard value.kind == .object else { throw mismatch("an object") }
    return try ParameterReader.decode(value, path: path, read)
  }

  package func array<Element>(
    maximum: Int, minimum: Int = 0, _ read: (Parameter) throws(RPCError) -> Element
  ) throws(RPCError) -> [Element] {
    guard value.kind == .array else { throw mismatch("an array") }
    let count = value.count
    guard count <= maximum else { throw fault("has more than \(maximum) elements") }
    guard count >= minimum else { throw fault("is empty") }
    var result: [Element] = []
    result.reserveCapacity(count)
    let (parent, name) = index == nil ? (self.parent, self.name) : ("", path)
    for (index, element) in value.elements.enumerated() {
      result.append(try read(Parameter(element, of: parent, name, index: index)))
    }
    return result
  }

  /// The members of an object whose names are chosen.
  package func map<Element>(
    maximum: Int, nameBytes: ClosedRange<Int>? = nil, _ read: (Parameter) throws(RPCError) -> Element
  ) throws(RPCError) -> [String: Element] {
    try object { reader throws(RPCError) in
      var result: [String: Element] = [:]
      for (name, value) in try reader.members(maximum: maximum) {
        if let nameBytes, !nameBytes.contains(name.utf8.count) {
          throw reader.fault(
            name, "must be a name of \(nameBytes.lowerBound) to \(nameBytes.upperBound) bytes")
        }
        result[name] = try read(value)
      }
      return result
    }
  }

  package func strings(maximum: Int = 1024, minimum: Int = 0) throws(RPCError) -> [String] {
    try array(maximum: maximum, minimum: minimum) { element throws(RPCError) in
      try element.string(maximumBytes: Int.max)
    }
  }

  /// Whether it is exactly this word.
  package func isWord(_ word: String) -> Bool { value.text?.hasBytes(of: word) ?? false }
}
