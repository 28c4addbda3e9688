internal import Glibc
internal import CJansson
internal import WatchwordSecret

/// JSON text to ``JSONValue``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. Jansson's memory is wiped when
/// it is freed, and members with a secret name, or inside an object that has one, go straight from it into a ``Secret``.
package struct JSONParser: Sendable {
  private let limits: JSONLimits
  private let secretMembers: SecretMembers
  private let secretObjects: SecretMembers
  private let secretPairs: SecretPairs?

  package init(
    limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = [],
    secretObjects: Set<String> = [], secretPairs: SecretPairs? = nil
  ) {
    self.limits = limits
    self.secretMembers = SecretMembers(secretMembers)
    self.secretObjects = SecretMembers(secretObjects)
    self.secretPairs = secretPairs
    JSONMemory.prepare()
  }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    try parseNotingSecrets(bytes).value
  }

  /// The same, and whether a secret is somewhere in the value, so that the bytes it came from are wiped.
  package func parseNotingSecrets(
    _ bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> (value: JSONValue, holdsSecret: Bool) {
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
    defer { json_decref(root) }
    var progress = Progress(left: limits.elements)
    let value = try convert(root, .plain, &progress)
    return (value, progress.holdsSecret)
  }

  /// How far a text has been converted.
  private struct Progress {
    /// Members and elements that there may be yet.
    var left: Int
    var holdsSecret = false
  }

  /// What the value of a member may hold.
  private enum Content {
    case plain
    case secret
    /// An object whose texts are secrets.
    case secretObject
    /// Pairs of a name and a value, some of which are secrets.
    case pairs
  }

  private func convert(
    _ value: UnsafeMutablePointer<json_t>, _ content: Content, _ progress: inout Progress
  ) throws(JSONError) -> JSONValue {
    switch value.pointee.type {
    case JSON_OBJECT: return .object(try convertMembers(value, isSecret: content == .secretObject, &progress))
    case JSON_ARRAY:
      let count = json_array_size(value)
      try charge(count, &progress)
      var elements: [JSONValue] = []
      elements.reserveCapacity(count)
      for index in 0..<count {
        if let element = json_array_get(value, index) {
          if content == .pairs, isSecretPair(element) {
            elements.append(try convertSecretPair(element, &progress))
          } else {
            elements.append(try convert(element, .plain, &progress))
          }
        }
      }
      return .array(elements)
    case JSON_STRING:
      let length = json_string_length(value)
      guard length <= limits.stringBytes else { throw .stringTooLong(limit: limits.stringBytes) }
      let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: length)
      guard content == .secret else { return .string(String(decoding: bytes, as: UTF8.self)) }
      progress.holdsSecret = true
      return .secret(Secret(copying: bytes))
    case JSON_INTEGER: return .integer(Int64(json_integer_value(value)))
    case JSON_REAL: return .real(json_real_value(value))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private func convertMembers(
    _ object: UnsafeMutablePointer<json_t>, isSecret: Bool, _ progress: inout Progress
  ) throws(JSONError) -> JSONObject {
    let count = json_object_size(object)
    try charge(count, &progress)
    var members: [JSONObject.Member] = []
    members.reserveCapacity(count)
    var iterator = json_object_iter(object)
    while let current = iterator {
      if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
        let name = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        members.append(
          JSONObject.Member(
            name: String(decoding: name, as: UTF8.self),
            value: try convert(member, isSecret ? .secret : content(ofMember: name), &progress)))
      }
      iterator = json_object_iter_next(object, current)
    }
    return JSONObject(members)
  }

  private func content(ofMember name: UnsafeRawBufferPointer) -> Content {
    if secretMembers.contains(name) { return .secret }
    if secretObjects.contains(name) { return .secretObject }
    return secretPairs?.isMember(name) ?? false ? .pairs : .plain
  }

  private func isSecretPair(_ value: UnsafeMutablePointer<json_t>) -> Bool {
    guard value.pointee.type == JSON_ARRAY, json_array_size(value) == 2, let name = json_array_get(value, 0),
      name.pointee.type == JSON_STRING
    else { return false }
    let bytes = UnsafeRawBufferPointer(start: json_string_value(name), count: json_string_length(name))
    return secretPairs?.contains(bytes) ?? false
  }

  private func convertSecretPair(
    _ pair: UnsafeMutablePointer<json_t>, _ progress: inout Progress
  ) throws(JSONError) -> JSONValue {
    try charge(2, &progress)
    guard let name = json_array_get(pair, 0), let value = json_array_get(pair, 1) else { return .array([]) }
    return .array([try convert(name, .plain, &progress), try convert(value, .secret, &progress)])
  }

  private func charge(_ count: Int, _ progress: inout Progress) throws(JSONError) {
    progress.left -= count
    if progress.left < 0 { throw .tooManyMembers(limit: limits.elements) }
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
