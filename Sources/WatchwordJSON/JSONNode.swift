internal import CJSON
internal import Glibc
package import WatchwordVocabulary

/// JSON text to ``JSONNode``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. The memory of what was read is
/// wiped when it is freed.
package struct JSONParser: Sendable {
  private let limits: JSONLimits

  package init(limits: JSONLimits = JSONLimits()) { self.limits = limits }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    JSONNode(rootOf: try JSONTree(reading: bytes, within: limits))
  }
}

/// A value of a text, left where it was read to: nothing is copied that is not asked for.
///
/// The memory stays as long as one value of the text, and is wiped when it is freed.
package struct JSONNode: Sendable {
  private let tree: JSONTree
  /// Where its entry is; what is in it follows.
  private let place: Int

  init(rootOf tree: JSONTree) { self.init(at: 0, in: tree) }

  private init(at place: Int, in tree: JSONTree) {
    self.tree = tree
    self.place = place
  }

  private var entry: watchword_json_entry { tree.entry(at: place) }

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
    switch entry.kind {
    case WATCHWORD_JSON_OBJECT: .object
    case WATCHWORD_JSON_ARRAY: .array
    case WATCHWORD_JSON_STRING: .string
    case WATCHWORD_JSON_INTEGER: .integer
    case WATCHWORD_JSON_REAL: .real
    case WATCHWORD_JSON_TRUE, WATCHWORD_JSON_FALSE: .bool
    default: .null
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

  package var bool: Bool? { kind == .bool ? entry.kind == WATCHWORD_JSON_TRUE : nil }

  package var integer: Int64? { kind == .integer ? entry.integer : nil }

  package var real: Double? { kind == .real ? entry.real : nil }

  /// An integer or a real.
  package var number: Double? { real ?? integer.map(Double.init) }

  package var isNull: Bool { kind == .null }

  /// Bytes of a text in UTF-8.
  package var textCount: Int? { kind == .string ? Int(entry.text.count) : nil }

  package var text: String? { withText { String(decoding: $0, as: UTF8.self) } }

  /// A text as a secret, of which there is no other copy outside of the tree.
  package var secret: Secret? { withText { Secret(copying: $0) } }

  package func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard kind == .string else { return nil }
    return tree.withText(of: entry, body)
  }

  // MARK: Elements

  /// Members of an object or elements of an array.
  package var count: Int {
    switch kind {
    case .object, .array: Int(entry.count)
    case .null, .bool, .integer, .real, .string: 0
    }
  }

  /// The values of an array, in its order; none for what is no array.
  package struct Elements: Sequence, IteratorProtocol {
    fileprivate let tree: JSONTree
    fileprivate var place: Int
    fileprivate let end: Int

    package mutating func next() -> JSONNode? {
      guard place < end else { return nil }
      defer { place += tree.length(at: place) }
      return JSONNode(at: place, in: tree)
    }
  }

  package var elements: Elements {
    Elements(tree: tree, place: place + 1, end: kind == .array ? place + Int(entry.entries) : place)
  }

  /// The same; nil for what is no array.
  package var array: [JSONNode]? { kind == .array ? Array(elements) : nil }

  // MARK: Members, in the order in which they were written

  /// Itself; nil for what is no object.
  package var object: JSONNode? { kind == .object ? self : nil }

  /// The value of the member of this name; nil when it is absent, and for what is no object.
  package subscript(name: String) -> JSONNode? { member(name)?.value }

  /// The name of a member, while it is lent.
  package struct Name {
    let bytes: UnsafeRawBufferPointer

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package static func == (name: Name, text: StaticString) -> Bool {
      name.isEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count == other.count else { return false }
      guard let start = bytes.baseAddress, let other = other.baseAddress else { return true }
      return memcmp(start, other, bytes.count) == 0
    }
  }

  /// Until `body` returns false.
  package func forEachMember(_ body: (Name, JSONNode) -> Bool) {
    guard kind == .object else { return }
    let end = place + Int(entry.entries)
    var next = place + 1
    while next < end {
      let value = JSONNode(at: next + 1, in: tree)
      guard tree.withText(of: tree.entry(at: next), { body(Name(bytes: $0), value) }) else { return }
      next += 1 + tree.length(at: next + 1)
    }
  }

  /// The member of this name and which one it is; nil when it is absent, and for what is no object.
  ///
  /// Names are told apart byte by byte: two that Unicode holds equal may both be there.
  package func member(_ name: String) -> (index: Int, value: JSONNode)? {
    var name = name
    guard let found = name.withUTF8({ tree.member(UnsafeRawBufferPointer($0), ofObjectAt: place) }) else {
      return nil
    }
    return (found.index, JSONNode(at: found.place, in: tree))
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
