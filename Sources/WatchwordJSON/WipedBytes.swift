internal import Glibc

/// Bytes that grow at the end, and leave no copy in freed memory.
///
/// A growing array frees its old memory without wiping it: a partly written password would remain there.
package struct WipedBytes: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable`: the memory has one owner, this value, which cannot be copied.
  private var start: UnsafeMutableRawPointer
  package private(set) var capacity: Int
  package private(set) var count = 0
  /// Called with wiped memory right before it is freed; for tests.
  private let willRelease: (@Sendable (UnsafeRawBufferPointer) -> Void)?

  private static let firstCapacity = 512
  private static let large = 1024 * 1024
  private static let spare = 4096

  package init(willRelease: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil) {
    capacity = WipedBytes.firstCapacity
    start = .allocate(byteCount: capacity, alignment: 16)
    self.willRelease = willRelease
  }

  deinit { WipedBytes.release(start, capacity, willRelease) }

  package var isEmpty: Bool { count == 0 }

  package borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  package borrowing func array() -> [UInt8] { withUnsafeBytes { Array($0) } }

  // MARK: Growing

  package mutating func reserveCapacity(_ capacity: Int) {
    if capacity > self.capacity { grow(to: capacity) }
  }

  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(to: count + 1) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if done == nil { for byte in bytes { append(byte) } }
  }

  /// Appends `length` bytes that `fill` writes.
  package mutating func append(_ length: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
    guard length > 0 else { return }
    fill(UnsafeMutableRawBufferPointer(start: room(for: length), count: length))
    count += length
  }

  /// Appends what `fill` writes, and returns the number of: `length` bytes at most.
  mutating func append(atMost length: Int, filledBy fill: (UnsafeMutableRawPointer) -> Int) {
    count += min(fill(room(for: length)), length)
  }

  package mutating func insert(_ text: some Sequence<UInt8> & Collection<UInt8>, at offset: Int) {
    let moved = count - offset
    let length = text.count
    guard moved >= 0, length > 0 else { return }
    let place = room(for: length) - moved
    memmove(place + length, place, moved)
    UnsafeMutableRawBufferPointer(start: place, count: length).copyBytes(from: text)
    count += length
  }

  /// Removes the first bytes and moves the rest to the front; keeps the memory.
  package mutating func removeFirst(_ length: Int) {
    guard length > 0 else { return }
    count -= min(length, count)
    memmove(start, start + length, count)
  }

  /// Removes what is behind the first `length` bytes; keeps the memory.
  package mutating func truncate(to length: Int) { count = max(0, min(length, count)) }

  /// By how much the memory grows when `length` bytes are appended.
  package func growth(for length: Int) -> Int {
    capacity - count < length ? larger(than: count + length) - capacity : 0
  }

  /// Gives back what many bytes have to spare: no more are appended.
  package mutating func fit() {
    if capacity - count >= WipedBytes.spare { move(to: max(count, WipedBytes.firstCapacity)) }
  }

  /// Keeps the memory for later bytes.
  package mutating func removeAll() { count = 0 }

  // MARK: Memory

  /// The memory for the next `length` bytes.
  private mutating func room(for length: Int) -> UnsafeMutableRawPointer {
    if capacity - count < length { grow(to: count + length) }
    return start + count
  }

  /// Doubles while it is small; large memory that may stay for long has at most a quarter to spare.
  private func larger(than needed: Int) -> Int {
    max(needed, capacity < WipedBytes.large ? capacity * 2 : capacity + capacity / 4)
  }

  private mutating func grow(to needed: Int) {
    move(to: larger(than: needed))
  }

  private mutating func move(to size: Int) {
    let target = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    target.copyMemory(from: start, byteCount: count)
    WipedBytes.release(start, capacity, willRelease)
    start = target
    capacity = size
  }

  private static func release(
    _ start: UnsafeMutableRawPointer, _ capacity: Int, _ willRelease: ((UnsafeRawBufferPointer) -> Void)?
  ) {
    explicit_bzero(start, capacity)
    willRelease?(UnsafeRawBufferPointer(start: start, count: capacity))
    start.deallocate()
  }
}
