internal import WatchwordSecret

/// JSON text straight into a buffer, without a tree in between.
///
/// Structure is the caller's: `begin…` and `end…` have to match, and `key` comes before each member's value.
/// Commas are put by the writer.
package struct JSONWriter: Sendable {
  package var bytes: [UInt8]
  /// Whether something stands in front in the same object or array.
  private var needsComma = false

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// What follows is a text of its own, whatever stands in front of it.
  package mutating func startAnew() { needsComma = false }

  // MARK: Structure

  package mutating func beginObject() { open("{") }
  package mutating func endObject() { end("}") }
  package mutating func beginArray() { open("[") }
  package mutating func endArray() { end("]") }

  /// A member's name that needs no escapes.
  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func key(_ name: some StringProtocol) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  package mutating func string(_ value: some StringProtocol) {
    var value = String(value)
    value.withUTF8 { stringBytes(UnsafeRawBufferPointer($0)) }
  }

  package mutating func string(_ value: StaticString) {
    stringBytes(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  /// A string of bytes that are known to be UTF-8.
  package mutating func stringBytes(_ value: UnsafeRawBufferPointer) {
    separate()
    bytes.reserveCapacity(bytes.count + value.count + 2)
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<value.count {
      let byte = value[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else {
        continue
      }
      if start < index { bytes.append(contentsOf: value[start..<index]) }
      escape(byte)
      start = index + 1
    }
    if start < value.count { bytes.append(contentsOf: value[start...]) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// The bytes as a string in base64 (RFC 4648 §4).
  package mutating func base64(_ value: UnsafeRawBufferPointer) {
    separate()
    bytes.reserveCapacity(bytes.count + (value.count + 2) / 3 * 4 + 2)
    bytes.append(UInt8(ascii: "\""))
    var index = 0
    while index + 2 < value.count {
      let group = UInt32(value[index]) << 16 | UInt32(value[index + 1]) << 8 | UInt32(value[index + 2])
      appendBase64(group, digits: 4)
      index += 3
    }
    switch value.count - index {
    case 1:
      appendBase64(UInt32(value[index]) << 16, digits: 2)
      bytes.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "=")])
    case 2:
      appendBase64(UInt32(value[index]) << 16 | UInt32(value[index + 1]) << 8, digits: 3)
      bytes.append(UInt8(ascii: "="))
    default: break
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func integer(_ value: some BinaryInteger) {
    literal(String(value))
  }

  /// The shortest text that reads back as the same number; what JSON has no text for becomes null.
  package mutating func real(_ value: Double) {
    value.isFinite
      ? literal(value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value)).0" : "\(value)") : null()
  }

  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  package mutating func null() { literal("null") }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .string(let value): string(value)
    case .secret(let value): string(value.description)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.name)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// A value that is JSON text already.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
    needsComma = true
  }

  // MARK: Steps

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(JSONWriter.hexadecimal(byte >> 4))
      bytes.append(JSONWriter.hexadecimal(byte & 15))
    }
  }

  private mutating func appendBase64(_ group: UInt32, digits: Int) {
    for digit in 0..<digits {
      bytes.append(JSONWriter.base64Digit(UInt8(group >> (18 - 6 * UInt32(digit)) & 63)))
    }
  }

  private static func hexadecimal(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func base64Digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
