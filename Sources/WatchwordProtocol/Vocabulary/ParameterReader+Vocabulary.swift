internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordSecret
package import WatchwordVocabulary

extension ParameterReader {
  /// Bytes of a session's or a task's name.
  package static let maximumNameBytes = 128

  /// A name that callers choose: letters, digits, `.`, `_`, `-`; it goes into logs, status and shell scripts.
  package mutating func optionalName(_ name: String) throws(RPCError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard (1...ParameterReader.maximumNameBytes).contains(text.utf8.count),
      text.utf8.allSatisfy(ParameterReader.isNameByte)
    else {
      throw fault(
        name, "must be 1 to \(ParameterReader.maximumNameBytes) letters, digits, dots, underscores or hyphens"
      )
    }
    return text
  }

  package mutating func name(_ name: String) throws(RPCError) -> String {
    guard let text = try optionalName(name) else { throw fault(name, "is missing") }
    return text
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The index of a descriptor that was sent with the message.
  package mutating func optionalDescriptor(_ name: String) throws(RPCError) -> Int? {
    try optionalInteger(name, in: 0...Int64(Message.maximumDescriptors - 1)).map { Int($0) }
  }

  // MARK: Header fields

  /// Header fields of a list; the transport limits outgoing ones.
  package static let maximumHeaders = 256

  /// An array of `[name, value]`; names and values are checked, not repaired (CVE-2020-11008, request smuggling).
  package mutating func optionalHeaders(_ name: String) throws(RPCError) -> [HeaderField]? {
    try optionalArray(name, maximum: ParameterReader.maximumHeaders) { value, path throws(RPCError) in
      guard case .array(let pair) = value, pair.count == 2, case .string(let field) = pair[0],
        let content = HeaderContent(pair[1], isSecret: SensitiveFields.contains(field))
      else { throw .invalidParams(path, "must be [name, value]") }
      guard FieldSyntax.isToken(field) else {
        throw .invalidParams("\(path)[0]", "is not a header field name")
      }
      guard !HeaderRules.isReserved(field) else {
        throw .invalidParams("\(path)[0]", "this field belongs to the daemon")
      }
      guard content.isValue else {
        throw .invalidParams("\(path)[1]", "holds a control character or is longer than 64 KiB")
      }
      return content.field(field)
    }
  }

  /// An HTTP method: a token of at most 32 bytes (RFC 9110 §9.1).
  package mutating func optionalMethod(_ name: String) throws(RPCError) -> String? {
    guard let method = try optionalString(name) else { return nil }
    guard FieldSyntax.isToken(method), method.utf8.count <= 32 else {
      throw fault(name, "is not an HTTP method")
    }
    guard method != "CONNECT" else { throw fault(name, "CONNECT is the proxy's") }
    return method
  }
}

/// The value of a header field as read: never a `String` if the parser knows its name as secret.
private enum HeaderContent {
  case plain(String)
  case secret(Secret)

  init?(_ value: JSONValue, isSecret: Bool) {
    switch value {
    case .string(let text): self = isSecret ? .secret(Secret(text.utf8)) : .plain(text)
    case .secret(let secret): self = .secret(secret)
    case .null, .bool, .integer, .real, .array, .object: return nil
    }
  }

  var isValue: Bool {
    switch self {
    case .plain(let text): HeaderRules.isValue(text)
    case .secret(let secret): HeaderRules.isValue(secret)
    }
  }

  func field(_ name: String) -> HeaderField {
    switch self {
    case .plain(let text): HeaderField(name, text)
    case .secret(let secret): HeaderField(name, secret: secret)
    }
  }
}
