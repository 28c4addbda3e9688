internal import CLinux
internal import Glibc
internal import WatchwordReactor

/// A file in memory that is for a caller. It counts for the uid until its last reference closes it.
///
/// Memory, not disk: writing to it never waits.
@ReactorActor
final class MemoryFile {
  nonisolated let number: Int32
  private(set) var size: Int64 = 0
  private let charge: MemoryCharge

  /// - Parameter charge: has nothing yet, and is for the file alone.
  init(_ charge: MemoryCharge) throws(OutputFault) {
    let number = clinux_memfd_create("watchword-body")
    guard number >= 0 else { throw .broken(errno) }
    self.number = number
    self.charge = charge
  }

  isolated deinit { close(number) }

  /// Why it has not taken the bytes, if it has not.
  func append(_ bytes: UnsafeRawBufferPointer) -> OutputFault? {
    guard charge.grow(by: bytes.count) else { return .overBudget }
    if let fault = CallerDescriptor.writeAll(bytes, to: number) { return .broken(fault) }
    size += Int64(bytes.count)
    return nil
  }

  /// Who receives it reads from its beginning.
  func rewind() { lseek(number, 0, SEEK_SET) }
}
