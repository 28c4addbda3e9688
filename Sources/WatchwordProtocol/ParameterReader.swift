package import WatchwordJSON

/// Reads an object of a request member by member, and keeps the path for errors.
///
/// Every member must be read: `finish` refuses the others, so that a misspelt limit is never ignored.
package struct ParameterReader {
  package let path: String
  private let object: JSONObject
  /// Which of the first members have been read, a bit for each.
  ///
  /// No object has as many members with a name that is read, and none is there twice. So what is not read shows
  /// among those that have a bit.
  private var known: UInt64 = 0

  package init(_ object: JSONObject?, path: String = "params") {
    self.object = object ?? [:]
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
    let first = (~known).trailingZeroBitCount
    guard first < object.members.count, known != UInt64.max else { return }
    throw fault(object.members[first].shortName, "unknown member")
  }

  package func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  package func fault(_ name: String, _ message: String) -> RPCError { .invalidParams(path(name), message) }

  // MARK: Members

  /// Nil when it is absent.
  package subscript(name: String) -> Parameter? {
    mutating get {
      guard let index = object.index(of: name) else { return nil }
      known |= 1 << UInt64(index)
      return Parameter(object.members[index].value, of: path, name)
    }
  }

  package mutating func required(_ name: String) throws(RPCError) -> Parameter {
    guard let parameter = self[name] else { throw fault(name, "is missing") }
    return parameter
  }

  /// All members of an object whose names the caller chooses.
  package mutating func members(maximum: Int) throws(RPCError) -> [JSONObject.Member] {
    guard object.members.count <= maximum else {
      throw .invalidParams(path, "has more than \(maximum) members")
    }
    known = UInt64.max
    return object.members
  }

  package func contains(_ name: String) -> Bool { object.index(of: name) != nil }
}

extension JSONObject.Member {
  /// The part of the name that an error repeats. Limited in scalars, because a character may have any length.
  var shortName: String { String(name.unicodeScalars.prefix(64)) }
}
