package import WatchwordJSON
package import WatchwordVocabulary

/// A value that a message of the daemon holds.
package protocol Readable: Sendable {
  init(reading value: JSONValue) throws(ReadFault)
  /// What a member is that a daemon of an earlier version did not send yet; nil: it cannot be missing.
  static var absent: Self? { get }
}

extension Readable {
  package static var absent: Self? { nil }
}

/// A message that is not as the contract describes it.
package struct ReadFault: Error, Equatable {
  /// The member, from the outermost object on, as `explained.trust`; empty for the value itself.
  package private(set) var path: String
  package let reason: String

  package init(_ reason: String, at path: String = "") { (self.reason, self.path) = (reason, path) }

  package var text: String { path.isEmpty ? reason : "\(path) \(reason)" }

  /// The fault of a member or an element of another value.
  func within(_ place: String) -> ReadFault {
    ReadFault(reason, at: path.isEmpty || path.hasPrefix("[") ? place + path : place + "." + path)
  }

  static func expected(_ type: String, _ value: JSONValue) -> ReadFault {
    ReadFault("must be \(type), not \(value.typeName)")
  }
}

extension String: Readable {
  package static var absent: String? { "" }

  package init(reading value: JSONValue) throws(ReadFault) {
    guard case .string(let text) = value else { throw .expected("a string", value) }
    self = text
  }
}

extension Bool: Readable {
  package static var absent: Bool? { false }

  package init(reading value: JSONValue) throws(ReadFault) {
    guard case .bool(let flag) = value else { throw .expected("a boolean", value) }
    self = flag
  }
}

extension Int: Readable {
  package static var absent: Int? { 0 }

  package init(reading value: JSONValue) throws(ReadFault) {
    guard case .integer(let integer) = value, let number = Int(exactly: integer) else {
      throw .expected("an integer", value)
    }
    self = number
  }
}

extension Double: Readable {
  package static var absent: Double? { 0 }

  package init(reading value: JSONValue) throws(ReadFault) {
    switch value {
    case .integer(let integer): self = Double(integer)
    case .real(let real): self = real
    default: throw .expected("a number", value)
    }
  }
}

extension JSONValue: Readable {
  package static var absent: JSONValue? { .null }

  package init(reading value: JSONValue) { self = value }
}

extension HeaderField: Readable {
  package init(reading value: JSONValue) throws(ReadFault) {
    let parts = try [String](reading: value)
    guard parts.count == 2 else { throw ReadFault("must be a name and a value") }
    self.init(parts[0], parts[1])
  }
}

extension Optional: Readable where Wrapped: Readable {
  package static var absent: Wrapped?? { .some(nil) }

  package init(reading value: JSONValue) throws(ReadFault) {
    self = value == .null ? nil : try Wrapped(reading: value)
  }
}

extension Array: Readable where Element: Readable {
  package static var absent: [Element]? { [] }

  package init(reading value: JSONValue) throws(ReadFault) {
    guard case .array(let values) = value else { throw .expected("an array", value) }
    self = []
    reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do { append(try Element(reading: value)) } catch { throw error.within("[\(index)]") }
    }
  }
}
