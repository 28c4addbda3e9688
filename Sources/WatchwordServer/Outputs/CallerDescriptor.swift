internal import CLinux
internal import Glibc
internal import WatchwordReactor

/// A descriptor that a caller has passed, checked for its use; closed with its last reference.
///
/// Directories, devices and `O_PATH` descriptors are refused, and so is a wrong access mode (security
/// "Descriptors"). Sendable because every field is set once and the kernel serialises the rest.
final class CallerDescriptor: Sendable {
  enum Use: Sendable {
    case reading
    case writing
  }

  enum DescriptorFault: Error, Sendable {
    case closed
    case unsupportedKind
    case wrongAccessMode
    case system(errno: Int32)
  }

  private enum Kind: Sendable {
    case regular
    case pipe
    case socket
  }

  let number: Int32
  /// Of the caller.
  let account: UInt32
  private let kind: Kind
  /// For a pipe: the same pipe with a file description of our own, so that `O_NONBLOCK` affects no other
  /// process. Nil where it cannot be opened again: it is another uid's, or there is no `/proc`.
  private let ownDescription: Int32?
  /// For a pipe without one that is written to: both ends of a pipe of our own.
  private let transit: (reading: Int32, writing: Int32)?

  /// Takes over `number`; closes it also on a fault.
  init(_ number: Int32, of account: UInt32, for use: Use) throws(DescriptorFault) {
    var mode: UInt32 = 0
    var size: Int64 = 0
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, clinux_stat(number, &mode, &size) else {
      DescriptorCloser.close(number, of: account)
      throw .closed
    }
    guard flags & CLINUX_O_PATH == 0,
      let kind: Kind = [S_IFREG: .regular, S_IFIFO: .pipe, S_IFSOCK: .socket][mode & S_IFMT]
    else {
      DescriptorCloser.close(number, of: account)
      throw .unsupportedKind
    }
    let access = flags & O_ACCMODE
    guard access == O_RDWR || access == (use == .reading ? O_RDONLY : O_WRONLY) else {
      DescriptorCloser.close(number, of: account)
      throw .wrongAccessMode
    }
    self.number = number
    self.account = account
    self.kind = kind
    let reopened =
      kind == .pipe
      ? open("/proc/self/fd/\(number)", (use == .reading ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_CLOEXEC) : -1
    ownDescription = reopened >= 0 ? reopened : nil
    guard kind == .pipe, reopened < 0, use == .writing else {
      transit = nil
      return
    }
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else {
      let reason = errno
      DescriptorCloser.close(number, of: account)
      throw .system(errno: reason)
    }
    transit = (reading: ends[0], writing: ends[1])
  }

  deinit {
    if let ownDescription { close(ownDescription) }
    if let transit {
      close(transit.reading)
      close(transit.writing)
    }
    DescriptorCloser.close(number, of: account)
  }

  var isRegular: Bool { kind == .regular }
  var isPipe: Bool { kind == .pipe }

  /// Whether what was written to it can be read back through it.
  var isReadable: Bool { fcntl(number, F_GETFL) & O_ACCMODE == O_RDWR }

  /// The descriptor to watch and to transfer through.
  var readyNumber: Int32 { ownDescription ?? number }

  /// Size of a regular file in bytes, and its shared offset.
  var sizeAndOffset: (size: Int64, offset: Int64)? {
    var mode: UInt32 = 0
    var size: Int64 = 0
    guard isRegular, clinux_stat(number, &mode, &size) else { return nil }
    let offset = lseek(number, 0, SEEK_CUR)
    return offset < 0 ? nil : (size, Int64(offset))
  }

  /// Whether writing to it never waits: a file in memory.
  var isMemory: Bool { isRegular && clinux_is_memory_file(number) }

  /// Writes all of it to a regular file; may block unless that is in memory. Returns `errno` on failure, else
  /// nil.
  func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    CallerDescriptor.writeAll(bytes, to: number)
  }

  static func writeAll(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32? {
    SystemCall.write(bytes, to: number) ? nil : errno
  }

  /// Truncates a regular file and moves to its beginning, for a download that starts again. Returns `errno`
  /// on failure, else nil.
  func restart() -> Int32? { ftruncate(number, 0) == 0 && lseek(number, 0, SEEK_SET) == 0 ? nil : errno }

  /// Writes what a pipe or socket takes at once: the count, 0 when it takes nothing now, `-errno`
  /// on failure.
  func writeWithoutWaiting(_ bytes: UnsafeRawBufferPointer) -> Int {
    let written = SystemCall.uninterrupted {
      kind == .socket
        ? send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        : writeToPipe(bytes)
    }
    guard written < 0 else { return written }
    return errno == EAGAIN ? 0 : -Int(errno)
  }

  private func writeToPipe(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let transit, let start = bytes.baseAddress, !bytes.isEmpty else {
      return Glibc.write(readyNumber, bytes.baseAddress, bytes.count)
    }
    var ends = [transit.reading, transit.writing]
    return clinux_write_pipe(number, &ends, start, bytes.count)
  }

  private func readFromPipe(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard ownDescription == nil, let start = buffer.baseAddress, !buffer.isEmpty else {
      return Glibc.read(readyNumber, buffer.baseAddress, buffer.count)
    }
    return clinux_read_pipe(number, start, buffer.count)
  }

  /// Reads what a pipe or socket has at once: the count, 0 at its end, nil when it has nothing now, `-errno`
  /// on failure.
  func readWithoutWaiting(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let taken = SystemCall.uninterrupted {
      kind == .socket
        ? recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        : readFromPipe(into: buffer)
    }
    guard taken < 0 else { return taken }
    return errno == EAGAIN ? nil : -Int(errno)
  }
}
