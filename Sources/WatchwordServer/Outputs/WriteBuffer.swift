/// Bytes to be written to a descriptor.
///
/// Sendable because it has one owner at a time: the output while it fills, the pool while it is written.
final class WriteBuffer: @unchecked Sendable {
  /// Large enough that passing it to the pool costs little compared to the copy.
  private static let capacity = 1024 * 1024

  private var memory: UnsafeMutableRawBufferPointer?
  private(set) var count = 0
  /// How much of the memory has ever been used: the rest costs nothing.
  private(set) var heldBytes = 0

  deinit { memory?.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// By how much its memory grows when so many bytes are appended; nil when they have no place. An empty one takes any
  /// number.
  func growth(for more: Int) -> Int? {
    guard isEmpty || count + more <= WriteBuffer.capacity else { return nil }
    return max(0, count + more - heldBytes)
  }

  /// - Parameter bytes: have a place.
  func append(_ bytes: UnsafeRawBufferPointer) {
    if (memory?.count ?? 0) < count + bytes.count {
      memory?.deallocate()
      memory = .allocate(byteCount: max(WriteBuffer.capacity, bytes.count), alignment: 4096)
    }
    memory.map { UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: bytes) }
    count += bytes.count
    heldBytes = max(heldBytes, count)
  }

  func removeAll() { count = 0 }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(
      UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory ?? .init(start: nil, count: 0))[..<count]))
  }
}
