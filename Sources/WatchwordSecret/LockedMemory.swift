internal import Glibc
internal import WatchwordPrimitives

/// Memory for secrets only: locked where the limit allows, and excluded from core dumps.
///
/// The kernel locks whole pages. On the heap that would be every page that ever held a secret, with all its other
/// contents, and a system call for each. Here secrets share pages that are locked once and never freed.
enum LockedMemory {
  /// Pieces have 2⁵ to 2¹² bytes: enough for nearly every password, key and `Authorization` value. Larger secrets are
  /// rare, and are locked one by one.
  private static let sizes = 5...12
  private static let chunkBytes = 65_536

  /// The addresses of free pieces, by size.
  private static let free = Locked<[[UInt]]>(Array(repeating: [], count: sizes.count))

  /// At least `count` bytes; all of them are zero.
  static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
    guard let size = size(for: count) else {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      if let start = buffer.baseAddress { _ = mlock(start, buffer.count) }
      return buffer
    }
    let address = free.withLock { free in
      if free[size - sizes.lowerBound].isEmpty { free[size - sizes.lowerBound] = pieces(of: 1 << size) }
      return free[size - sizes.lowerBound].popLast()
    }
    if let address, let start = UnsafeMutableRawPointer(bitPattern: address) {
      return UnsafeMutableRawBufferPointer(start: start, count: 1 << size)
    }
    // Out of memory for a chunk: a piece of the heap joins the others when it is released.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << size, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    return buffer
  }

  /// Wipes memory of `allocate` and takes it back.
  static func release(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    explicit_bzero(start, buffer.count)
    guard let size = size(for: buffer.count) else { return buffer.deallocate() }
    free.withLock { $0[size - sizes.lowerBound].append(UInt(bitPattern: start)) }
  }

  /// The exponent of the smallest piece that holds `count` bytes; nil when none does.
  private static func size(for count: Int) -> Int? {
    let size = max(sizes.lowerBound, Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
    return size <= sizes.upperBound ? size : nil
  }

  private static func pieces(of bytes: Int) -> [UInt] {
    guard
      let chunk = mmap(nil, chunkBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      chunk != MAP_FAILED
    else { return [] }
    _ = mlock(chunk, chunkBytes)
    _ = madvise(chunk, chunkBytes, MADV_DONTDUMP)
    return stride(from: 0, to: chunkBytes, by: bytes).map { UInt(bitPattern: chunk + $0) }
  }
}
