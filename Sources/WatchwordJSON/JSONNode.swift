internal import CJansson
internal import Glibc
package import WatchwordSecret

/// A value of a text, read where Jansson has it: nothing is copied that is not asked for.
///
/// Jansson's memory stays as long as one value of the text, and is wiped when it is freed. Nothing changes it
/// meanwhile, so that every thread may read it.
package struct JSONNode: @unchecked Sendable {
  private let tree: JSONTree
  private let pointer: UnsafeMutablePointer<json_t>

  init(rootOf tree: JSONTree) {
    self.tree = tree
    pointer = tree.root
  }

  private init(_ pointer: UnsafeMutablePointer<json_t>, in tree: JSONTree) {
    self.tree = tree
    self.pointer = pointer
  }

  /// Every look at the memory: the value may be gone for the compiler when its pointer has been read.
  private func read<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<json_t>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(tree) {} }
    return try body(pointer)
  }

  package enum Kind: Sendable {
    case null
    case bool
    case integer
    case real
    case string
    case array
    case object
  }

  package var kind: Kind {
    read { pointer in
      switch pointer.pointee.type {
      case JSON_OBJECT: .object
      case JSON_ARRAY: .array
      case JSON_STRING: .string
      case JSON_INTEGER: .integer
      case JSON_REAL: .real
      case JSON_TRUE, JSON_FALSE: .bool
      default: .null
      }
    }
  }

  /// The JSON name of its type, for error texts.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .real: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  // MARK: Plain values, each nil for a value of another kind

  package var bool: Bool? {
    kind == .bool ? read { $0.pointee.type == JSON_TRUE } : nil
  }

  package var integer: Int64? {
    kind == .integer ? read { Int64(json_integer_value($0)) } : nil
  }

  package var real: Double? {
    kind == .real ? read { json_real_value($0) } : nil
  }

  /// Bytes of a text in UTF-8.
  package var textCount: Int? {
    kind == .string ? read { json_string_length($0) } : nil
  }

  package var text: String? { withText { String(decoding: $0, as: UTF8.self) } }

  /// A text as a secret, of which there is no other copy outside Jansson's memory.
  package var secret: Secret? { withText { Secret(copying: $0) } }

  package func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard kind == .string else { return nil }
    return read { body(UnsafeRawBufferPointer(start: json_string_value($0), count: json_string_length($0))) }
  }

  // MARK: Elements

  /// Members of an object or elements of an array.
  package var count: Int {
    switch kind {
    case .object: read { json_object_size($0) }
    case .array: read { json_array_size($0) }
    case .null, .bool, .integer, .real, .string: 0
    }
  }

  /// Nil beyond the end, and for what is no array.
  package func element(at index: Int) -> JSONNode? {
    guard index >= 0, kind == .array else { return nil }
    return read { json_array_get($0, index) }.map { JSONNode($0, in: tree) }
  }

  // MARK: Members, in the order in which they were written

  /// The name of a member, while it is lent.
  package struct Name {
    fileprivate let bytes: UnsafeRawBufferPointer

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package static func == (name: Name, text: StaticString) -> Bool {
      guard name.bytes.count == text.utf8CodeUnitCount, let start = name.bytes.baseAddress else {
        return false
      }
      return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
  }

  /// Until `body` returns false.
  package func forEachMember(_ body: (Name, JSONNode) -> Bool) {
    guard kind == .object else { return }
    read { object in
      var iterator = json_object_iter(object)
      while let current = iterator {
        if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
          let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
          guard body(Name(bytes: bytes), JSONNode(value, in: tree)) else { return }
        }
        iterator = json_object_iter_next(object, current)
      }
    }
  }

  /// Every value of an object or an array, until `body` returns false.
  func forEachInside(_ body: (JSONNode) -> Bool) {
    switch kind {
    case .object: forEachMember { _, value in body(value) }
    case .array:
      for index in 0..<count {
        guard let element = element(at: index), body(element) else { return }
      }
    case .null, .bool, .integer, .real, .string: break
    }
  }

  /// The member of this name and which one it is; nil when it is absent, and for what is no object.
  ///
  /// Names are told apart byte by byte: two that Unicode holds equal may both be there.
  package func member(_ name: String) -> (index: Int, value: JSONNode)? {
    guard kind == .object else { return nil }
    var name = name
    return name.withUTF8 { name in
      guard let start = name.baseAddress else { return nil }
      return read { object in
        // Most names that are looked for are not there, which the hash table says at once.
        guard let value = json_object_getn(object, start, name.count) else { return nil }
        var index = 0
        var iterator = json_object_iter(object)
        while let current = iterator {
          if json_object_iter_key_len(current) == name.count, let key = json_object_iter_key(current),
            memcmp(key, start, name.count) == 0
          {
            break
          }
          index += 1
          iterator = json_object_iter_next(object, current)
        }
        return (index, JSONNode(value, in: tree))
      }
    }
  }

  /// The name of the member at a place.
  package func name(at place: Int) -> String? {
    var (index, found) = (0, String?.none)
    forEachMember { name, _ in
      if index == place { found = name.text }
      index += 1
      return found == nil
    }
    return found
  }
}

extension JSONNode: Equatable {
  package static func == (left: JSONNode, right: JSONNode) -> Bool {
    left.read { left in right.read { right in json_equal(left, right) == 1 } }
  }
}

/// What Jansson has made of a text; wiped and freed with the last value of it.
final class JSONTree: @unchecked Sendable {
  let root: UnsafeMutablePointer<json_t>

  init(taking root: UnsafeMutablePointer<json_t>) { self.root = root }

  deinit { json_decref(root) }
}
