internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// Writes JSON texts that mostly fit a schema of the OpenRPC document; every choice is the input's.
struct SchemaSampler {
  private static let document = object(of: String(decoding: OpenRPCDocument.text, as: UTF8.self))
  private static let schemas: JSONObject = members(members(document["components"])["schemas"])
  private static let methods = entries("methods")
  private static let notifications = entries("x-notifications").filter {
    $0.value["direction"] == .string("serverToClient")
  }
  /// Every name that is described anywhere.
  static let memberNames = Set(names(in: .object(document)))
  /// Of those that the daemon sends.
  static let notificationNames = notifications.keys.sorted()

  /// Deeper than any description, less deep than the parser takes.
  private static let maximumDepth = 16
  private static let maximumBytes = 65_536

  private var input: InputReader
  private var writer = [UInt8]()

  init(_ input: UnsafeRawBufferPointer) { self.input = InputReader(input) }

  /// An object; for a method that is not described one with a member that the input names.
  mutating func parameters(of method: String) -> [UInt8] {
    object(with: Self.methods[method])
  }

  /// What the daemon replies to a method.
  mutating func result(of method: String) -> [UInt8] {
    value(Self.members(Self.members(Self.methods[method]?["result"])["schema"]), depth: 1)
    return writer
  }

  /// The parameters of one of ``notificationNames``.
  mutating func notification(_ name: String) -> [UInt8] {
    guard let schema = Self.notifications[name]?["paramsSchema"] else {
      return object(with: Self.notifications[name])
    }
    value(Self.members(schema), depth: 1)
    return writer
  }

  private mutating func object(with entry: JSONObject?) -> [UInt8] {
    let described = Self.elements(entry?["params"]).map { Self.members($0) }
    writer = [UInt8(ascii: "{")]
    for parameter in described where parameter["required"] == .bool(true) || input.byte() & 1 != 0 {
      member(Self.text(parameter["name"]), Self.members(parameter["schema"]), depth: 1)
    }
    if input.byte() > 0xF0 { member(String(input.byte(), radix: 36), [:], depth: 1) }
    close(UInt8(ascii: "}"))
    return writer
  }

  private mutating func member(_ name: String, _ schema: JSONObject, depth: Int) {
    string(name)
    writer.append(UInt8(ascii: ":"))
    value(schema, depth: depth)
    writer.append(UInt8(ascii: ","))
  }

  /// A comma before it is one too many.
  private mutating func close(_ bracket: UInt8) {
    if writer.last == UInt8(ascii: ",") { writer.removeLast() }
    writer.append(bracket)
  }

  private mutating func value(_ schema: JSONObject, depth: Int) {
    guard depth < Self.maximumDepth, writer.count < Self.maximumBytes, input.byte() < 0xF8 else {
      return literal(Self.oddities[input.choice(Self.oddities.count)])
    }
    if case .string(let reference)? = schema["$ref"] {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return value(Self.members(Self.schemas[name]), depth: depth + 1)
    }
    for name in ["anyOf", "oneOf", "allOf"] {
      let variants = Self.elements(schema[name])
      if !variants.isEmpty {
        return value(Self.members(variants[input.choice(variants.count)]), depth: depth + 1)
      }
    }
    if let constant = schema["const"] { return write(constant) }
    let values = Self.elements(schema["enum"])
    if !values.isEmpty { return write(values[input.choice(values.count)]) }
    let types = Self.elements(schema["type"])
    switch Self.text(types.isEmpty ? schema["type"] : types[input.choice(types.count)]) {
    case "string": string(sampleText())
    case "integer": literal(number(schema))
    case "number": literal(number(schema) + [".0", ".5", "e1", ""][input.choice(4)])
    case "boolean": literal(input.byte() & 1 == 0 ? "true" : "false")
    case "null": literal("null")
    case "array": array(schema, depth: depth)
    case "object": object(schema, depth: depth)
    default: literal(Self.oddities[input.choice(Self.oddities.count)])
    }
  }

  private mutating func array(_ schema: JSONObject, depth: Int) {
    writer.append(UInt8(ascii: "["))
    for item in Self.elements(schema["items"]) {
      value(Self.members(item), depth: depth + 1)
      writer.append(UInt8(ascii: ","))
    }
    if case .array? = schema["items"] { return close(UInt8(ascii: "]")) }
    for _ in 0..<input.choice(4) {
      value(Self.members(schema["items"]), depth: depth + 1)
      writer.append(UInt8(ascii: ","))
    }
    close(UInt8(ascii: "]"))
  }

  private mutating func object(_ schema: JSONObject, depth: Int) {
    let required = Self.elements(schema["required"])
    writer.append(UInt8(ascii: "{"))
    for property in Self.members(schema["properties"]).members
    where required.contains(.string(property.name)) || input.byte() & 1 != 0 {
      member(property.name, Self.members(property.value), depth: depth + 1)
    }
    if case .object(let others)? = schema["additionalProperties"] {
      for _ in 0..<input.choice(3) { member(sampleText(), others, depth: depth + 1) }
    }
    close(UInt8(ascii: "}"))
  }

  /// A bound or beside it, or a number of the input's.
  private mutating func number(_ schema: JSONObject) -> String {
    let bounds = [schema["minimum"], schema["maximum"]].compactMap { bound -> Int64? in
      if case .integer(let bound)? = bound { bound } else { nil }
    }
    let choice = input.choice(4)
    guard choice < 3, !bounds.isEmpty else { return String(Int8(bitPattern: input.byte())) }
    return String(bounds[input.choice(bounds.count)] &+ Int64(choice - 1))
  }

  private mutating func sampleText() -> String {
    let choice = input.choice(Self.texts.count * 2)
    if choice < Self.texts.count { return Self.texts[choice] }
    return String(decoding: input.bytes(input.choice(32)), as: UTF8.self)
  }

  private mutating func literal(_ text: String) { writer += text.utf8 }
  private mutating func string(_ text: String) { write(.string(text)) }

  private mutating func write(_ value: JSONValue) {
    var text = JSONWriter()
    text.value(value)
    writer += text.bytes
  }

  /// What descriptions ask for by pattern or in words.
  private static let texts = [
    "http://u:p@127.0.0.1:1/a?b#c", "https://host.test/", "host.test:443", "*.example.com", "127.0.0.1",
    "::1",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "2026-11-21T12:05:00Z", "pkcs11:token=a;object=b",
    "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n", "AA==", "GET", "Accept", "t1",
    "c1-0a1b2c3d",
    "*", "", "a\u{0}b", "\u{FEFF}é",
  ]

  private static let oddities = [
    "null", "true", "-1", "0", "9223372036854775807", "9223372036854775808", "1e308", "0.1", "\"\"", "[]",
    "{}",
    "[[[]]]", #"{"a":{}}"#, #""\ud83d\ude00""#,
  ]

  // MARK: The document

  private static func entries(_ name: String) -> [String: JSONObject] {
    let described = elements(document[name]).map { members($0) }
    return Dictionary(described.map { (text($0["name"]), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func names(in value: JSONValue) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap(names)
    case .object(let object):
      members(object["properties"]).members.map(\.name) + object.members.flatMap { names(in: $0.value) }
        + (object["schema"] == nil ? [] : [text(object["name"])])
    case .null, .bool, .integer, .real, .string, .secret: []
    }
  }

  private static func object(of text: String) -> JSONObject {
    members(Array(text.utf8).withUnsafeBytes { try? JSONParser().parse($0) }.map { JSONValue($0) })
  }

  private static func members(_ value: JSONValue?) -> JSONObject {
    if case .object(let object)? = value { object } else { [:] }
  }

  private static func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func text(_ value: JSONValue?) -> String {
    if case .string(let text)? = value { text } else { "" }
  }
}
