internal import WatchwordVocabulary

/// JSON text straight into a buffer, without a tree in between.
///
/// Structure is the caller's: `begin…` and `end…` have to match, and `key` comes before each member's value.
/// Commas are put by the writer.
package struct JSONWriter: ~Copyable, Sendable {
  /// The text so far. A caller's may hold a password.
  package var buffer: WipedBytes
  /// Whether something stands in front in the same object or array.
  private var needsComma = false

  package init(_ buffer: consuming WipedBytes = WipedBytes()) { self.buffer = buffer }

  /// A copy of the text, for what holds no secret.
  package var bytes: [UInt8] { buffer.array() }

  /// The text of one value, for what holds no secret.
  package static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }

  /// What follows is a text of its own, whatever stands in front of it.
  package mutating func startAgain() { needsComma = false }

  // MARK: Structure

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's name that needs no escapes.
  package mutating func key(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    buffer.append(atMost: length + 4) { [needsComma] target in
      let start = needsComma ? 2 : 1
      if needsComma { target.storeBytes(of: UInt8(ascii: ","), as: UInt8.self) }
      target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: start - 1, as: UInt8.self)
      (target + start).copyMemory(from: name.utf8Start, byteCount: length)
      target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: start + length, as: UInt8.self)
      target.storeBytes(of: UInt8(ascii: ":"), toByteOffset: start + length + 1, as: UInt8.self)
      return start + length + 2
    }
    needsComma = false
  }

  /// A member's name that is not known before.
  package mutating func key(escaping name: String) {
    string(name)
    endKey()
  }

  package mutating func key(_ name: JSONNode.Name) {
    stringBytes(name.bytes)
    endKey()
  }

  private mutating func endKey() {
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  package mutating func string(_ value: String) {
    // `withUTF8` would have to be given a copy of its own.
    let isWritten: Void? = value.utf8.withContiguousStorageIfAvailable {
      stringBytes(UnsafeRawBufferPointer($0))
    }
    if isWritten == nil { string(value[...]) }
  }

  package mutating func string(_ value: Substring) {
    var value = value
    value.withUTF8 { stringBytes(UnsafeRawBufferPointer($0)) }
  }

  package mutating func string(_ value: StaticString) {
    stringBytes(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
  }

  /// A string of bytes that are known to be UTF-8.
  package mutating func stringBytes(_ value: UnsafeRawBufferPointer) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    JSONEscapes.append(value, to: &buffer)
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// The bytes as a string in base64 (RFC 4648 §4).
  package mutating func base64(_ value: UnsafeRawBufferPointer) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    buffer.append(Base64.encodedCount(of: value.count)) { Base64.encode(value, into: $0) }
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  package mutating func integer(_ value: Int) { integer(Int64(value)) }

  package mutating func integer(_ value: Int64) {
    separate()
    DecimalDigits.append(value, to: &buffer)
    needsComma = true
  }

  package mutating func integer(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) { integer(value) } else { literal("\(value)") }
  }

  /// A number of millionths, as a decimal fraction without trailing zeros.
  package mutating func millionths(_ value: Int64) {
    separate()
    DecimalDigits.append(millionths: value, to: &buffer)
    needsComma = true
  }

  /// The shortest text that reads back as the same number; what JSON has no text for becomes null.
  package mutating func real(_ value: Double) {
    if value.isFinite { literal(value.description) } else { null() }
  }

  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  package mutating func null() { literal("null") }

  /// A value that was read.
  package mutating func value(_ node: JSONNode) {
    switch node.kind {
    case .null: null()
    case .bool: bool(node.bool == true)
    case .integer: integer(node.integer ?? 0)
    case .real: real(node.real ?? 0)
    case .string: node.withText { stringBytes($0) }
    case .array:
      beginArray()
      for element in node.elements { value(element) }
      endArray()
    case .object:
      beginObject()
      node.forEachMember { name, member in
        key(name)
        value(member)
        return true
      }
      endObject()
    }
  }

  /// A value that was put together.
  ///
  /// - Parameter revealsSecrets: whether a secret, whose octets are UTF-8, is written; else it is `<secret>`.
  package mutating func value(_ value: JSONValue, revealsSecrets: Bool = false) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .string(let value): string(value)
    case .secret(let value) where revealsSecrets: value.withBytes { stringBytes($0) }
    case .secret(let value): string(value.description)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element, revealsSecrets: revealsSecrets) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(escaping: member.name)
        self.value(member.value, revealsSecrets: revealsSecrets)
      }
      endObject()
    }
  }

  /// A value that is JSON text already.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    separate()
    buffer.append(contentsOf: text)
    needsComma = true
  }

  // MARK: Steps

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    buffer.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    buffer.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    separate()
    buffer.append(contentsOf: text.utf8)
    needsComma = true
  }
}

/// Integers in decimal, without a `String` in between.
enum DecimalDigits {
  /// Digits of 2⁶³.
  private static let maximum = 19

  static func append(_ value: Int64, to bytes: inout WipedBytes) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var left = value.magnitude
    guard left > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(left)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximum) { digits in
      var start = maximum
      while left > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(left % 10)
        left /= 10
      }
      bytes.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: digits[start...])))
    }
  }

  /// The value divided by 1,000,000, exactly.
  static func append(millionths value: Int64, to bytes: inout WipedBytes) {
    let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(Int64(whole), to: &bytes)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var left = fraction
    var unit: UInt64 = 100_000
    while left > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / unit))
      left %= unit
      unit /= 10
    }
  }
}

/// The inside of a JSON string (RFC 8259 §7).
///
/// Most strings need no escape: eight bytes are looked at at a time, and what stands between two escapes is
/// copied at once. DEL is escaped as well, for terminals that show a text as it came.
enum JSONEscapes {
  static func append(_ text: UnsafeRawBufferPointer, to bytes: inout WipedBytes) {
    var start = 0
    while start < text.count {
      let found = next(in: text, from: start)
      if start < found {
        bytes.append(UnsafeRawBufferPointer(rebasing: text[start..<found]))
      }
      guard found < text.count else { return }
      append(escaped: text[found], to: &bytes)
      start = found + 1
    }
  }

  /// The first byte from `start` on that may not stand for itself; the end when there is none.
  private static func next(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if hasEscape(word) { break }
      index += 8
    }
    while index < text.count, !needsEscape(text[index]) { index += 1 }
    return index
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  /// Whether one of eight bytes needs an escape. Never misses one: borrows can only add a false alarm,
  /// which costs a look at the single bytes.
  private static func hasEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let control = (word &- ones &* 0x20) & ~word
    let quote = zeroByte(word ^ (ones &* 0x22))
    let backslash = zeroByte(word ^ (ones &* 0x5C))
    let delete = zeroByte(word ^ (ones &* 0x7F))
    return (control | quote | backslash | delete) & tops != 0
  }

  private static func zeroByte(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

  private static func append(escaped byte: UInt8, to bytes: inout WipedBytes) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(UInt8(ascii: "u"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(UInt8(ascii: "0"))
      bytes.append(Hexadecimal.digit(byte >> 4))
      bytes.append(Hexadecimal.digit(byte & 15))
    }
  }
}
