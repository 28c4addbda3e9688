/// Bytes to be written to a descriptor.
///
/// Sendable because it has one owner at a time: the output while it fills, the pool while it is written.
final class WriteBuffer: @unchecked Sendable {
  /// Large enough that passing it to the pool costs little compared to the copy.
  private static let capacity = 1024 * 1024

  private var memory: UnsafeMutableRawBufferPointer?
  private(set) var count = 0

  deinit { memory?.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// Returns false and takes nothing when there is no room; an empty one takes any size.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isEmpty || count + bytes.count <= WriteBuffer.capacity else { return false }
    if (memory?.count ?? 0) < count + bytes.count {
      memory?.deallocate()
      memory = .allocate(byteCount: max(WriteBuffer.capacity, bytes.count), alignment: 4096)
    }
    memory.map { UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: bytes) }
    count += bytes.count
    return true
  }

  func removeAll() { count = 0 }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(
      UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory ?? .init(start: nil, count: 0))[..<count]))
  }
}
