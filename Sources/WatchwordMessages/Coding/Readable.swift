package import WatchwordJSON
package import WatchwordVocabulary

/// A value that a message of the daemon holds.
package protocol Readable: Sendable {
  init(reading node: JSONNode) throws(ReadFault)
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

  static func expected(_ type: String, _ node: JSONNode) -> ReadFault {
    ReadFault("must be \(type), not \(node.typeName)")
  }
}

extension String: Readable {
  package static var absent: String? { "" }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard let text = node.text else { throw .expected("a string", node) }
    self = text
  }
}

extension Bool: Readable {
  package static var absent: Bool? { false }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard let flag = node.bool else { throw .expected("a boolean", node) }
    self = flag
  }
}

extension Int: Readable {
  package static var absent: Int? { 0 }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard let number = node.integer.flatMap(Int.init(exactly:)) else { throw .expected("an integer", node) }
    self = number
  }
}

extension Double: Readable {
  package static var absent: Double? { 0 }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard let number = node.number else { throw .expected("a number", node) }
    self = number
  }
}

/// A value that the contract does not describe further: an error, a setting, a session's configuration, the
/// document of `rpc.discover`.
package enum OpenValue: Readable {
  case made(JSONValue)
  case read(JSONNode)

  package static var absent: OpenValue? { .made(.null) }

  package init(reading node: JSONNode) { self = .read(node) }

  /// Nil for one that was made here.
  package var node: JSONNode? {
    guard case .read(let node) = self else { return nil }
    return node
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .made(let value): writer.value(value)
    case .read(let node): writer.value(node)
    }
  }
}

extension HeaderField: Readable {
  package init(reading node: JSONNode) throws(ReadFault) {
    let parts = try [String](reading: node)
    guard parts.count == 2 else { throw ReadFault("must be a name and a value") }
    self.init(parts[0], parts[1])
  }
}

extension Optional: Readable where Wrapped: Readable {
  package static var absent: Wrapped?? { .some(nil) }

  package init(reading node: JSONNode) throws(ReadFault) {
    self = node.isNull ? nil : try Wrapped(reading: node)
  }
}

extension Array: Readable where Element: Readable {
  package static var absent: [Element]? { [] }

  package init(reading node: JSONNode) throws(ReadFault) {
    guard node.kind == .array else { throw .expected("an array", node) }
    self = []
    reserveCapacity(node.count)
    for (index, element) in node.elements.enumerated() {
      do { append(try Element(reading: element)) } catch { throw error.within("[\(index)]") }
    }
  }
}
