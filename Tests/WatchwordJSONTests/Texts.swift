import WatchwordJSON

/// Parses a text that a test has at hand.
func parse(
  _ text: [UInt8], limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  let parser = JSONParser(limits: limits, secretMembers: secretMembers)
  // A copy of exactly its size, so that a sanitizer sees a look beyond the end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: text)
  return try parser.parse(UnsafeRawBufferPointer(copy))
}

func parse(
  _ text: String, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  try parse(Array(text.utf8), limits: limits, secretMembers: secretMembers)
}

/// What the writer makes of it.
func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

extension JSONValue {
  var text: String {
    if case .string(let text) = self { text } else { "" }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
