internal import Glibc
internal import CJansson
internal import WatchwordSecret

/// JSON text to ``JSONNode`` or ``JSONValue``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. Jansson's memory is wiped when
/// it is freed. In a ``JSONValue``, members with a secret name go straight from it into a ``Secret``.
package struct JSONParser: Sendable {
  private let limits: JSONLimits
  private let secretMembers: SecretMembers

  package init(limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []) {
    self.limits = limits
    self.secretMembers = SecretMembers(secretMembers)
    JSONMemory.prepare()
  }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    let tree = try load(bytes)
    defer { withExtendedLifetime(tree) {} }
    var left = limits.elements
    return try convert(tree.root, isSecret: false, &left)
  }

  /// The same, left where Jansson has it.
  package func node(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    let root = JSONNode(rootOf: try load(bytes))
    // Two bytes are the shortest element with its comma: a short text is within all limits.
    if bytes.count > limits.stringBytes || bytes.count / 2 > limits.elements {
      var left = limits.elements
      try check(root, &left)
    }
    return root
  }

  private func load(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONTree {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw .incomplete }
    // Jansson passes over a zero byte behind a number.
    if let zero = memchr(start, 0, bytes.count) {
      throw .nullCharacter(offset: UnsafeRawPointer(zero) - start)
    }
    if NestingCheck.isDeeper(bytes, than: limits.nesting) { throw .tooDeep(limit: limits.nesting) }
    var failure = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    guard let root = json_loadb(start.assumingMemoryBound(to: CChar.self), bytes.count, flags, &failure)
    else {
      let (code, offset) = (json_error_code(&failure), Int(failure.position))
      // Its text quotes what was near, which may be part of a password.
      explicit_bzero(&failure, MemoryLayout<json_error_t>.size)
      throw JSONParser.reason(code, offset)
    }
    return JSONTree(taking: root)
  }

  private func check(_ node: JSONNode, _ left: inout Int) throws(JSONError) {
    if let count = node.textCount, count > limits.stringBytes {
      throw .stringTooLong(limit: limits.stringBytes)
    }
    try charge(node.count, &left)
    var failure: JSONError?
    node.forEachInside { inner in
      do throws(JSONError) {
        try check(inner, &left)
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  private func convert(
    _ value: UnsafeMutablePointer<json_t>, isSecret: Bool, _ left: inout Int
  ) throws(JSONError) -> JSONValue {
    switch value.pointee.type {
    case JSON_OBJECT: return .object(try convertMembers(value, &left))
    case JSON_ARRAY:
      let count = json_array_size(value)
      try charge(count, &left)
      var elements: [JSONValue] = []
      elements.reserveCapacity(count)
      for index in 0..<count {
        if let element = json_array_get(value, index) {
          elements.append(try convert(element, isSecret: false, &left))
        }
      }
      return .array(elements)
    case JSON_STRING:
      let length = json_string_length(value)
      guard length <= limits.stringBytes else { throw .stringTooLong(limit: limits.stringBytes) }
      let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: length)
      return isSecret ? .secret(Secret(copying: bytes)) : .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: return .integer(Int64(json_integer_value(value)))
    case JSON_REAL: return .real(json_real_value(value))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private func convertMembers(
    _ object: UnsafeMutablePointer<json_t>, _ left: inout Int
  ) throws(JSONError) -> JSONObject {
    let count = json_object_size(object)
    try charge(count, &left)
    var members: [JSONObject.Member] = []
    members.reserveCapacity(count)
    var iterator = json_object_iter(object)
    while let current = iterator {
      if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
        let name = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        members.append(
          JSONObject.Member(
            name: String(decoding: name, as: UTF8.self),
            value: try convert(member, isSecret: secretMembers.contains(name), &left)))
      }
      iterator = json_object_iter_next(object, current)
    }
    return JSONObject(members)
  }

  private func charge(_ count: Int, _ left: inout Int) throws(JSONError) {
    left -= count
    if left < 0 { throw .tooManyMembers(limit: limits.elements) }
  }

  private static func reason(_ code: json_error_code, _ offset: Int) -> JSONError {
    switch code {
    case json_error_out_of_memory: return .outOfMemory
    case json_error_stack_overflow: return .tooDeep(limit: 2048)
    case json_error_invalid_utf8: return .invalidUTF8(offset: offset)
    case json_error_premature_end_of_input: return .incomplete
    case json_error_null_character, json_error_null_byte_in_key: return .nullCharacter(offset: offset)
    case json_error_duplicate_key: return .duplicateMember(offset: offset)
    case json_error_numeric_overflow: return .numberOutOfRange(offset: offset)
    default: return .syntax(offset: offset)
    }
  }
}

/// The names of members that hold secrets.
private struct SecretMembers: Sendable {
  private let names: [[UInt8]]
  /// Bit n is set when a name of n bytes is among them: nearly every member is told apart by that alone.
  private let lengths: UInt64

  init(_ names: Set<String>) {
    self.names = names.map { Array($0.utf8) }
    lengths = self.names.reduce(0) { $0 | 1 << UInt64($1.count & 63) }
  }

  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    guard lengths & 1 << UInt64(name.count & 63) != 0 else { return false }
    return names.contains { $0.count == name.count && $0.elementsEqual(name) }
  }
}
