package import WatchwordJSON

/// Reads an object of a request member by member, and keeps the path for errors.
///
/// Every member must be read: `finish` refuses the others, so that a misspelt limit is never ignored.
package struct ParameterReader {
  package let path: String
  /// Nil: there are no members.
  private let object: JSONNode?
  /// Which of the first members have been read, a bit for each.
  ///
  /// No object has as many members with a name that is read, and none is there twice. So what is not read
  /// shows among those that have a bit.
  private var known: UInt64 = 0
  /// What `known` is when nothing is left: most members of a request are absent, and need not be looked for.
  private let all: UInt64

  package init(_ object: JSONNode?, path: String = "params") {
    self.object = object
    self.path = path
    let count = object?.count ?? 0
    all = count < UInt64.bitWidth ? 1 << UInt64(count) - 1 : UInt64.max
  }

  package static func decode<Result>(
    _ object: JSONNode?, path: String = "params", _ body: (inout ParameterReader) throws(RPCError) -> Result
  ) throws(RPCError) -> Result {
    var reader = ParameterReader(object, path: path)
    let result = try body(&reader)
    try reader.finish()
    return result
  }

  /// Refuses members that no method reads.
  package func finish() throws(RPCError) {
    let first = (~known).trailingZeroBitCount
    guard let object, first < object.count, known != UInt64.max else { return }
    throw fault(ParameterReader.shortened(object.name(at: first) ?? ""), "unknown member")
  }

  /// Lets what was not read stand: a later version may know it.
  package mutating func passOverOthers() { known = UInt64.max }

  package func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  package func fault(_ name: String, _ message: String) -> RPCError { .invalidParams(path(name), message) }

  // MARK: Members

  /// Nil when it is absent.
  package subscript(name: String) -> Parameter? {
    mutating get {
      guard known != all, let (index, value) = object?.member(name) else { return nil }
      known |= 1 << UInt64(index)
      return Parameter(value, of: path, name)
    }
  }

  package mutating func required(_ name: String) throws(RPCError) -> Parameter {
    guard let parameter = self[name] else { throw fault(name, "is missing") }
    return parameter
  }

  /// All members of an object whose names the caller chooses. The paths of errors have only the beginning of
  /// a name.
  package mutating func members(maximum: Int) throws(RPCError) -> [(name: String, value: Parameter)] {
    guard object?.count ?? 0 <= maximum else {
      throw .invalidParams(path, "has more than \(maximum) members")
    }
    known = UInt64.max
    var members: [(name: String, value: Parameter)] = []
    object?.forEachMember { [path] name, value in
      let text = name.text
      members.append((text, Parameter(value, of: path, ParameterReader.shortened(text))))
      return true
    }
    return members
  }

  package func contains(_ name: String) -> Bool { object?.member(name) != nil }

  /// The part of a name that an error repeats. Limited in scalars, because a character may have any length.
  package static func shortened(_ name: String) -> String { String(name.unicodeScalars.prefix(64)) }
}
