internal import CJSON
internal import Glibc

/// What a text says, entry behind entry, and the bytes of its strings; wiped and freed with the last value of
/// it.
///
/// Nothing changes it, so that every thread may read it.
final class JSONTree: @unchecked Sendable {
  private let entries: UnsafePointer<watchword_json_entry>
  private let texts: UnsafeRawPointer
  /// Both, the texts behind the entries: nothing of it grows or moves, so that no copy stays behind.
  private let memory: UnsafeMutableRawPointer
  private let written: watchword_json_reading

  init(reading bytes: UnsafeRawBufferPointer, within limits: JSONLimits) throws(JSONError) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw .incomplete }
    guard bytes.count <= WATCHWORD_JSON_MAXIMUM_BYTES else { throw .outOfMemory }
    let bounds = watchword_json_limits(
      nesting: UInt32(clamping: limits.nesting), string_bytes: UInt32(clamping: limits.stringBytes),
      elements: UInt32(clamping: limits.elements))
    let text = start.assumingMemoryBound(to: CChar.self)
    let capacity = watchword_json_maximum_entries(text, bytes.count, bounds)
    let size = capacity * MemoryLayout<watchword_json_entry>.stride
    // What is not written costs no memory.
    guard let memory = malloc(size + bytes.count) else { throw .outOfMemory }
    self.memory = memory
    let entries = memory.bindMemory(to: watchword_json_entry.self, capacity: capacity)
    let texts = (memory + size).bindMemory(to: CChar.self, capacity: bytes.count)
    self.entries = UnsafePointer(entries)
    self.texts = UnsafeRawPointer(texts)
    written = watchword_json_read(text, bytes.count, bounds, entries, texts)
    if let error = JSONError(written, limits) { throw error }
  }

  deinit {
    explicit_bzero(memory, written.entries * MemoryLayout<watchword_json_entry>.stride)
    explicit_bzero(UnsafeMutableRawPointer(mutating: texts), written.text_bytes)
    free(memory)
  }

  // Each look at the memory keeps the tree: it may be gone for the compiler when a pointer of it has been
  // read.

  func entry(at place: Int) -> watchword_json_entry {
    defer { withExtendedLifetime(self) {} }
    return entries[place]
  }

  /// How many entries a value takes.
  func length(at place: Int) -> Int { Int(entry(at: place).entries) }

  /// Which member of an object has this name, and where its value is; nil for what is no object.
  func member(_ name: UnsafeRawBufferPointer, ofObjectAt place: Int) -> (index: Int, place: Int)? {
    defer { withExtendedLifetime(self) {} }
    guard entries[place].kind == WATCHWORD_JSON_OBJECT else { return nil }
    let end = place + Int(entries[place].entries)
    var (index, next) = (0, place + 1)
    while next < end {
      let text = entries[next].text
      if Int(text.count) == name.count, isText(at: Int(text.start), name) { return (index, next + 1) }
      index += 1
      next += 1 + Int(entries[next + 1].entries)
    }
    return nil
  }

  private func isText(at start: Int, _ wanted: UnsafeRawBufferPointer) -> Bool {
    guard let other = wanted.baseAddress else { return true }
    return memcmp(texts + start, other, wanted.count) == 0
  }

  /// The bytes of a string or a name.
  func withText<Result>(of entry: watchword_json_entry, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    defer { withExtendedLifetime(self) {} }
    return body(UnsafeRawBufferPointer(start: texts + Int(entry.text.start), count: Int(entry.text.count)))
  }
}

extension JSONError {
  /// Nil for a text that was read.
  fileprivate init?(_ reading: watchword_json_reading, _ limits: JSONLimits) {
    let offset = reading.position
    switch reading.outcome {
    case WATCHWORD_JSON_IS_READ: return nil
    case WATCHWORD_JSON_INVALID_UTF8: self = .invalidUTF8(offset: offset)
    case WATCHWORD_JSON_DUPLICATE_MEMBER: self = .duplicateMember(offset: offset)
    case WATCHWORD_JSON_NULL_CHARACTER: self = .nullCharacter(offset: offset)
    case WATCHWORD_JSON_NUMBER_OUT_OF_RANGE: self = .numberOutOfRange(offset: offset)
    case WATCHWORD_JSON_TOO_DEEP: self = .tooDeep(limit: limits.nesting)
    case WATCHWORD_JSON_STRING_TOO_LONG: self = .stringTooLong(limit: limits.stringBytes)
    case WATCHWORD_JSON_TOO_MANY_ELEMENTS: self = .tooManyMembers(limit: limits.elements)
    case WATCHWORD_JSON_INCOMPLETE: self = .incomplete
    case WATCHWORD_JSON_OUT_OF_MEMORY: self = .outOfMemory
    default: self = .syntax(offset: offset)
    }
  }
}
