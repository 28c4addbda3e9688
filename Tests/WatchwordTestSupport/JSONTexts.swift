package import WatchwordJSON

/// Reads a text that a test has at hand, as a value to compare.
package func parse(_ text: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
  JSONValue(try node(text, limits: limits))
}

package func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
  try parse(Array(text.utf8), limits: limits)
}

/// The same, left where it was read to.
package func node(_ text: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONNode {
  // A copy of exactly its size, so that a sanitizer sees a look beyond the end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: text)
  return try JSONParser(limits: limits).parse(UnsafeRawBufferPointer(copy))
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
