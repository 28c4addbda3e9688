internal import Glibc

/// Bytes that must not be seen: a password, a token, a private key, an `Authorization` value.
///
/// Prints as `<secret>`, is compared in constant time, and is locked in memory where the limit allows and
/// wiped with the last reference. It has no conversion to `String`: ``withBytes(_:)`` reads a secret in
/// place, and ``init(joining:)`` joins several.
package final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The bytes; never written after `init`, which makes the class `Sendable`.
  private nonisolated(unsafe) let buffer: UnsafeMutableRawBufferPointer

  /// Copies `bytes`; the caller wipes its own copy.
  package convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  package convenience init(_ bytes: some Collection<UInt8>) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// Makes a secret of `count` bytes that `fill` writes in place, so that no other copy exists.
  package init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    buffer = LockedMemory.allocate(count)
    self.count = count
    try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[0..<count]))
  }

  /// The parts one after the other, for example `user`, `:` and a password.
  package convenience init(joining parts: [Secret]) {
    self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
      var offset = 0
      for part in parts {
        part.withBytes { target[offset..<(offset + $0.count)].copyBytes(from: $0) }
        offset += part.count
      }
    }
  }

  deinit { LockedMemory.release(buffer) }

  package let count: Int

  package var isEmpty: Bool { count == 0 }

  /// Lends the bytes for the duration of `body`; they must not be copied into anything that is not wiped.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
  }

  /// Whether a control character (C0 or DEL) is among the bytes: such a secret is refused, not repaired
  /// (CVE-2020-5260, CVE-2024-52006).
  package var containsControlCharacter: Bool {
    withBytes { $0.contains { $0 < 0x20 || $0 == 0x7F } }
  }

  /// Whether it can be a text of a message. Nothing is copied.
  package var isUTF8: Bool { withBytes { UTF8Text.fault(in: $0) == nil } }

  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Equatable {
  /// Constant time in the contents; the lengths may be distinguished.
  package static func == (left: Secret, right: Secret) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { left in
      right.withBytes { right in
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left[index] ^ right[index] }
        return difference == 0
      }
    }
  }
}

/// Octets that travel in a text of JSON (RFC 4648 §4).
extension Secret {
  /// Nil for what is no base64.
  package static func decoded(_ base64: Secret) -> Secret? {
    base64.withBytes { text in
      let characters = text.bindMemory(to: UInt8.self)
      guard let count = Base64.decodedCount(characters) else { return nil }
      var isDecoded = false
      let secret = Secret(count: count) { isDecoded = Base64.decode(characters, into: $0) }
      return isDecoded ? secret : nil
    }
  }

  package var base64: Secret {
    withBytes { bytes in
      Secret(count: Base64.encodedCount(of: bytes.count)) { Base64.encode(bytes, into: $0) }
    }
  }
}

/// Memory for secrets only: locked where the limit allows, and excluded from core dumps.
///
/// The kernel locks whole pages. On the heap that would be every page that ever held a secret, with all its
/// other contents, and a system call for each. Here secrets share pages that are locked once and never freed.
enum LockedMemory {
  /// Pieces have 2⁵ to 2¹² bytes: enough for nearly every password, key and `Authorization` value. Larger
  /// secrets are rare, and are locked one by one.
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
