package import WatchwordJSON

/// Parses a text that a test has at hand.
package func parse(
  _ text: [UInt8], limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  let parser = JSONParser(limits: limits, secretMembers: secretMembers)
  // A copy of exactly its size, so that a sanitizer sees a look beyond the end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: text)
  return try parser.parse(UnsafeRawBufferPointer(copy))
}

package func parse(
  _ text: String, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  try parse(Array(text.utf8), limits: limits, secretMembers: secretMembers)
}

/// The same, left where it was read to.
package func node(_ text: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONNode {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: text)
  return try JSONParser(limits: limits).node(UnsafeRawBufferPointer(copy))
}

package func node(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONNode {
  try node(Array(text.utf8), limits: limits)
}

/// What the writer makes of it.
package func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

extension JSONValue {
  package var text: String {
    if case .string(let text) = self { text } else { "" }
  }

  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
