internal import Glibc

/// Bytes of a connection to frames, each holding one JSON text.
///
/// Bytes are read straight into its buffer and parsed there; every byte is looked at once, however it
/// arrives. Frames are wiped when they are consumed if they held a secret.
package struct FrameDecoder: Sendable {
  /// Header names and values of one message; LSP needs some 60 bytes.
  static let headerBytes = 4096

  private var buffer: [UInt8] = []
  /// Unconsumed bytes are `buffer[start..<end]`; up to `scanned` there is no frame's end.
  private var start = 0
  private var end = 0
  private var scanned = 0
  /// Bytes of the message whose header has been read.
  private var expected: Int?
  private let limit: Int

  /// Known once the first byte has arrived.
  package private(set) var framing: Framing?

  package init(messageLimit: Int) { limit = messageLimit }

  /// Whether a message has begun and not ended.
  package var isInMessage: Bool { start < end || expected != nil }

  /// Bytes that have arrived and belong to no frame yet.
  package var unconsumed: Int { end - start }

  /// Lends room for at least `minimum` bytes to `fill`, which says how many it has written.
  package mutating func read<Failure: Error>(
    minimum: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    if start == end {
      start = 0
      end = 0
      scanned = 0
    } else if start > 0 && buffer.count - end < minimum {
      let count = end - start
      buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        memmove(base, base + start, count)
        // What was moved away may have been a secret.
        explicit_bzero(base + count, min(start, end - count))
      }
      scanned -= start
      start = 0
      end = count
    }
    if buffer.count - end < minimum { grow(to: end + minimum) }
    var failure: Failure?
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      do throws(Failure) {
        return try fill(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    end += max(0, min(count, buffer.count - end))
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    read(minimum: bytes.count) { target in
      target.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// The next whole message, lent to `body`, which says whether its bytes have to be wiped; false when there is none yet.
  package mutating func nextFrame(
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FramingError) -> Bool {
    guard let frame = try findFrame() else { return false }
    let wipes = buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[frame])) }
    if wipes {
      buffer.withUnsafeMutableBytes { bytes in
        if let base = bytes.baseAddress { explicit_bzero(base + frame.lowerBound, frame.count) }
      }
    }
    return true
  }

  /// Wipes everything, for the end of the connection.
  package mutating func wipe() {
    buffer.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
    }
    start = 0
    end = 0
  }

  // MARK: Steps

  private mutating func findFrame() throws(FramingError) -> Range<Int>? {
    skipBlank()
    guard start < end || expected != nil else { return nil }
    switch try decideFraming() {
    case .line: return try findLine()
    case .contentLength: return try findCounted()
    }
  }

  /// White space between messages in line mode: an empty line is nobody's message.
  private mutating func skipBlank() {
    guard framing != .contentLength else { return }
    while start < end, [0x20, 0x09, 0x0A, 0x0D].contains(buffer[start]) { start += 1 }
    scanned = max(scanned, start)
  }

  private mutating func decideFraming() throws(FramingError) -> Framing {
    if let framing { return framing }
    let first = buffer[start]
    let decided: Framing
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): decided = .line
    case UInt8(ascii: "C"): decided = .contentLength
    default: throw .notJSONRPC(firstByte: first)
    }
    framing = decided
    return decided
  }

  private mutating func findLine() throws(FramingError) -> Range<Int>? {
    guard let newline = find(UInt8(ascii: "\n"), from: max(scanned, start)) else {
      scanned = end
      guard end - start <= limit else { throw .messageTooLarge(limit: limit) }
      return nil
    }
    guard newline - start <= limit else { throw .messageTooLarge(limit: limit) }
    let frame = start..<newline
    start = newline + 1
    scanned = start
    return frame
  }

  private mutating func findCounted() throws(FramingError) -> Range<Int>? {
    if expected == nil { expected = try readHeader() }
    guard let expected, end - start >= expected else { return nil }
    let frame = start..<(start + expected)
    start += expected
    scanned = start
    self.expected = nil
    return frame
  }

  /// Reads header lines up to the empty one; nil when it has not arrived yet.
  private mutating func readHeader() throws(FramingError) -> Int? {
    var position = start
    var length: Int?
    while let newline = find(UInt8(ascii: "\n"), from: position) {
      guard newline - start <= FrameDecoder.headerBytes else {
        throw .headerTooLarge(limit: FrameDecoder.headerBytes)
      }
      var line = buffer[position..<newline]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      position = newline + 1
      if line.isEmpty {
        guard let length else { throw .missingContentLength }
        guard length <= limit else { throw .messageTooLarge(limit: limit) }
        start = position
        return length
      }
      guard let value = try contentLength(line) else { continue }
      guard length == nil else { throw .duplicateContentLength }
      length = value
    }
    guard end - start <= FrameDecoder.headerBytes else {
      throw .headerTooLarge(limit: FrameDecoder.headerBytes)
    }
    return nil
  }

  /// The value of a `Content-Length` line; nil for another field.
  private func contentLength(_ line: ArraySlice<UInt8>) throws(FramingError) -> Int? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedHeader }
    guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-length" else { return nil }
    let text = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    var digits = text
    while let last = digits.last, last == 0x20 || last == 0x09 { digits.removeLast() }
    guard !digits.isEmpty else { throw .malformedContentLength }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .malformedContentLength }
      // Far beyond every limit already; the number itself must not overflow.
      if value <= limit { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    }
    return value
  }

  private func find(_ byte: UInt8, from position: Int) -> Int? {
    guard position < end else { return nil }
    return buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = memchr(base + position, Int32(byte), end - position)
      else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func grow(to count: Int) {
    var larger = [UInt8](repeating: 0, count: max(count, buffer.count * 2))
    larger.replaceSubrange(start..<end, with: buffer[start..<end])
    buffer.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
    }
    buffer = larger
  }
}
