internal import CJansson
internal import Glibc
internal import WatchwordSecret

/// Bounds on one text beyond its size, which framing has bounded already.
package struct JSONLimits: Sendable {
  /// Our deepest message has seven levels; a bound keeps the recursion below small.
  package var nesting = 64
  /// A body sent inline is the longest string there is; framing bounds it further.
  package var stringBytes = 16 * 1024 * 1024
  /// Members and elements in all; header fields are the longest list.
  package var elements = 100_000

  package init() {}
}

/// JSON text to ``JSONValue``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. Jansson's memory is wiped when
/// it is freed, and members with a secret name go straight from it into a ``Secret``.
package struct JSONParser: Sendable {
  private let limits: JSONLimits
  /// Lengths are compared before names: most members are told apart without looking at a byte.
  private let secretMembers: [String]

  package init(limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []) {
    self.limits = limits
    self.secretMembers = secretMembers.sorted()
    JSONMemory.prepare()
  }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw .incomplete }
    try checkNesting(bytes)
    var failure = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
    guard let root = json_loadb(start.assumingMemoryBound(to: CChar.self), bytes.count, flags, &failure)
    else {
      throw JSONParser.reason(failure)
    }
    defer { json_decref(root) }
    var left = limits.elements
    return try convert(root, isSecret: false, &left)
  }

  /// Before Jansson recurses: how deep brackets open, strings left aside.
  private func checkNesting(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > limits.nesting { throw .tooDeep(limit: limits.nesting) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }

  private func convert(
    _ value: UnsafeMutablePointer<json_t>, isSecret: Bool, _ left: inout Int
  ) throws(JSONError) -> JSONValue {
    switch value.pointee.type {
    case JSON_OBJECT:
      var members: [JSONObject.Member] = []
      let count = json_object_size(value)
      try charge(count, &left)
      members.reserveCapacity(count)
      var iterator = json_object_iter(value)
      while let current = iterator {
        if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
          members.append(
            JSONObject.Member(
              name: String(cString: key), value: try convert(member, isSecret: isSecretName(key), &left)))
        }
        iterator = json_object_iter_next(value, current)
      }
      return .object(JSONObject(members))
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

  private func charge(_ count: Int, _ left: inout Int) throws(JSONError) {
    left -= count
    if left < 0 { throw .tooManyMembers(limit: limits.elements) }
  }

  private func isSecretName(_ name: UnsafePointer<CChar>) -> Bool {
    let length = strlen(name)
    return secretMembers.contains { $0.utf8.count == length && strcmp($0, name) == 0 }
  }

  private static func reason(_ failure: json_error_t) -> JSONError {
    let offset = Int(failure.position)
    switch withUnsafePointer(to: failure, { json_error_code($0) }) {
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

/// Jansson's allocators and hash seed, set before anything else of it is used.
enum JSONMemory {
  static func prepare() { ready }

  private static let ready: Void = {
    // Whatever Jansson frees may have held a password.
    json_set_alloc_funcs(
      { malloc($0) },
      { pointer in
        guard let pointer else { return }
        explicit_bzero(pointer, malloc_usable_size(pointer))
        free(pointer)
      })
    json_object_seed(0)
  }()
}
