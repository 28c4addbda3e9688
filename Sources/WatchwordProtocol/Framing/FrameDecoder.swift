internal import Glibc

/// Splits the bytes of a connection into frames, each with one JSON text.
///
/// Bytes are read straight into its buffer and parsed there; every byte is examined once, however it arrives.
/// A frame that may hold a secret is wiped when it is consumed.
package struct FrameDecoder: Sendable {
  private var buffer = ReadBuffer()
  /// Unconsumed bytes that contain no end of a frame.
  private var scanned = 0
  /// The header lines received so far of an incomplete message.
  private var header = FrameHeader()
  /// Length of the message whose header has been read.
  private var expected: Int?
  private let limit: Int
  /// Whether no byte follows.
  private var hasInputEnded = false

  /// Known once the first byte has arrived.
  package private(set) var framing: Framing?

  /// Whether the first line begins like a number, a string or a word of JSON. Only if it is JSON, the
  /// connection may go on: the first line of another protocol may begin like that, too.
  package private(set) var isInDoubt = false

  package init(messageLimit: Int) { limit = messageLimit }

  /// Whether a message has begun and not ended.
  package var isInMessage: Bool { !buffer.isEmpty || expected != nil || header.count > 0 }

  /// Bytes that have arrived and belong to no frame yet.
  package var unconsumed: Int { buffer.count }

  /// The memory for what waits to be taken apart, and what is kept of it for the next message, beside the
  /// little that every connection has.
  package var heldBytes: Int { max(0, buffer.capacity - ReadBuffer.small) }

  /// Lends room to `fill`, which returns how many bytes it has written.
  package mutating func read(_ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    buffer.read(fill)
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      buffer.read { room in
        let count = min(room.count, rest.count)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return count
      }
    }
  }

  /// Lends the next complete message to `body`, and then wipes it: it may hold a secret. Nil when no message
  /// is complete.
  package mutating func nextFrame<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(FramingError) -> Value? {
    skipBlank()
    guard let frame = try findFrame() else { return nil }
    scanned = 0
    return buffer.consume(frame.count, terminator: frame.terminator, body)
  }

  /// No more bytes arrive: what is left of a line is a line. What is left of a counted message is none.
  package mutating func endInput() { hasInputEnded = true }

  /// The first line is JSON.
  mutating func endDoubt() { isInDoubt = false }

  /// Wipes all bytes, at the end of the connection.
  package mutating func wipe() {
    buffer.wipe()
    scanned = 0
  }

  // MARK: Steps

  /// White space between messages: an empty line is no message. It is not allowed between counted messages.
  private mutating func skipBlank() {
    guard framing != .contentLength else { return }
    let blank = buffer.countLeading { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard blank > 0 else { return }
    buffer.skip(blank)
    scanned = 0
  }

  private mutating func findFrame() throws(FramingError) -> (count: Int, terminator: Int)? {
    switch try decideFraming() {
    case .line: try findLine()
    case .contentLength: try findCounted()
    case nil: nil
    }
  }

  private mutating func decideFraming() throws(FramingError) -> Framing? {
    if let framing { return framing }
    guard let first = buffer.first else { return nil }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): framing = .line
    case UInt8(ascii: "C"): framing = .contentLength
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"):
      framing = .line
      isInDoubt = true
    default: throw .notJSONRPC(firstByte: first)
    }
    return framing
  }

  private mutating func findLine() throws(FramingError) -> (count: Int, terminator: Int)? {
    let newline = buffer.firstIndex(of: UInt8(ascii: "\n"), from: scanned)
    guard newline ?? buffer.count <= limit else { throw .messageTooLarge(limit: limit) }
    scanned = buffer.count
    if let newline { return (newline, 1) }
    return hasInputEnded && !buffer.isEmpty ? (buffer.count, 0) : nil
  }

  private mutating func findCounted() throws(FramingError) -> (count: Int, terminator: Int)? {
    if expected == nil { expected = try readHeader() }
    guard let length = expected, buffer.count >= length else { return nil }
    expected = nil
    return (length, 0)
  }

  /// Takes header lines up to the empty one; nil when it has not arrived yet.
  private mutating func readHeader() throws(FramingError) -> Int? {
    while let newline = buffer.firstIndex(of: UInt8(ascii: "\n"), from: scanned) {
      var lines = header
      let outcome = buffer.consume(newline, terminator: 1) { [limit] line in
        Result { () throws(FramingError) in try lines.readLine(line, messageLimit: limit) }
      }
      header = lines
      scanned = 0
      if case .known(let length) = try outcome.get() {
        header = FrameHeader()
        return length
      }
    }
    scanned = buffer.count
    guard header.count + buffer.count <= FrameHeader.maximumBytes else {
      throw .headerTooLarge(limit: FrameHeader.maximumBytes)
    }
    return nil
  }
}
