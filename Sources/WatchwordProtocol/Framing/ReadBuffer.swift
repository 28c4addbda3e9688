internal import Glibc

/// The received bytes of a connection that have not been consumed.
///
/// Small during little traffic, because each of a thousand idle peers has one; larger during heavy traffic,
/// so that one read takes all bytes. What a large message needed is given back with it. Each byte is moved a
/// bounded number of times, however it arrives, and its old place is wiped: it may have been half a password.
struct ReadBuffer: Sendable {
  /// A page holds the usual requests of a caller.
  static let small = 4096
  /// A read takes at most this much unless one message needs more; a turn serves every peer.
  private static let large = 64 * 1024
  /// Reads in a row that would fit the small buffer, after which the buffer is reduced to it.
  private static let quietReads = 16

  private var bytes: [UInt8] = []
  /// Unused bytes are `bytes[start..<end]`.
  private var start = 0
  private var end = 0
  private var quiet = 0
  private var wasFilled = false

  var count: Int { end - start }
  var isEmpty: Bool { start == end }
  var capacity: Int { bytes.count }
  var first: UInt8? { start < end ? bytes[start] : nil }

  /// Lends room for at least one byte.
  mutating func read(_ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    makeRoom()
    let count = bytes.withUnsafeMutableBytes { bytes in
      fill(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
    }
    end += max(0, min(count, bytes.count - end))
    wasFilled = end == bytes.count
    quiet = count > ReadBuffer.small ? 0 : quiet + 1
  }

  /// Lends the first `count` bytes to `body`, wipes them, and skips them and `terminator` more bytes. All
  /// must be present.
  mutating func consume<Value>(
    _ count: Int, terminator: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    defer { skip(count + terminator) }
    return bytes.withUnsafeMutableBytes { bytes in
      let used = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + count)])
      defer { if let base = used.baseAddress { explicit_bzero(base, count) } }
      return body(UnsafeRawBufferPointer(used))
    }
  }

  mutating func skip(_ count: Int) {
    start += count
    // How large it has become depends on the pieces that the message came in, and the next message may come
    // late.
    if isEmpty && bytes.count > ReadBuffer.large { resize(to: ReadBuffer.large) }
  }

  mutating func wipe() {
    wipe(0..<bytes.count)
    bytes = []
    start = 0
    end = 0
  }

  /// The number of leading bytes for which `isWanted` is true.
  func countLeading(_ isWanted: (UInt8) -> Bool) -> Int {
    bytes.withUnsafeBytes { bytes in
      var index = start
      while index < end, isWanted(bytes[index]) { index += 1 }
      return index - start
    }
  }

  /// The index of `byte`, counted from the first unused one.
  func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
    guard offset < count else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + start + offset, Int32(byte), count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - (base + start)
    }
  }

  // MARK: Room

  private mutating func makeRoom() {
    if isEmpty {
      start = 0
      end = 0
      if quiet > ReadBuffer.quietReads, bytes.count > ReadBuffer.small { wipe() }
    }
    if bytes.isEmpty {
      resize(to: ReadBuffer.small)
    } else if wasFilled && bytes.count < ReadBuffer.large {
      resize(to: bytes.count * 2)
    } else if bytes.count - end < bytes.count / 4 {
      // At most half a buffer is moved, and more than a quarter has been consumed since the last move.
      if count <= bytes.count / 2 { moveToFront() } else { resize(to: bytes.count * 2) }
    }
  }

  private mutating func moveToFront() {
    let count = count
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { memmove(base, base + start, count) }
    }
    wipe(count..<end)
    start = 0
    end = count
  }

  private mutating func resize(to capacity: Int) {
    let count = count
    // Left uninitialized: unused memory costs nothing.
    let larger = [UInt8](unsafeUninitializedCapacity: capacity) { target, initialized in
      bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(target).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
      initialized = capacity
    }
    wipe(start..<end)
    bytes = larger
    start = 0
    end = count
  }

  private mutating func wipe(_ range: Range<Int>) {
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { explicit_bzero(base + range.lowerBound, range.count) }
    }
  }
}
