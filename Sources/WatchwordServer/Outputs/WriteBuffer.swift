internal import Glibc

/// Bytes to be written to a descriptor.
///
/// Sendable because it has one owner at a time: the output while it fills, the pool while it is written.
final class WriteBuffer: @unchecked Sendable {
  /// Large enough that passing it to the pool costs little compared to the copy.
  private static let capacity = 1024 * 1024

  /// Of its own, not of the heap: there the part that is not used would have the pages of what was there before.
  private var memory: UnsafeMutableRawBufferPointer?
  private(set) var count = 0
  /// How much of the memory has ever been used: the rest costs nothing.
  private(set) var heldBytes = 0

  deinit { unmap() }

  var isEmpty: Bool { count == 0 }

  /// By how much its memory grows when so many bytes are appended; nil when they have no place. An empty one takes any
  /// number.
  func growth(for more: Int) -> Int? {
    guard isEmpty || count + more <= WriteBuffer.capacity else { return nil }
    return max(0, count + more - heldBytes)
  }

  /// False when the system has no memory.
  ///
  /// - Parameter bytes: have a place.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if (memory?.count ?? 0) < count + bytes.count {
      unmap()
      memory = WriteBuffer.map(max(WriteBuffer.capacity, bytes.count))
    }
    guard let memory else { return bytes.isEmpty }
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
    heldBytes = max(heldBytes, count)
    return true
  }

  func removeAll() { count = 0 }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(
      UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory ?? .init(start: nil, count: 0))[..<count]))
  }

  private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return start == MAP_FAILED ? nil : UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  private func unmap() {
    if let memory { munmap(memory.baseAddress, memory.count) }
    memory = nil
  }
}
