internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// A part of a regular file, read at explicit positions so that it can be sent again.
///
/// The loop reads only what the page cache holds. A thread of its file system reads the rest: the file may
/// lie on a network or FUSE file system whose server may respond late.
@ReactorActor
final class PositionedFile {
  var whenReady: (@ReactorActor () -> Void)?
  private let descriptor: SharedDescriptor
  private let start: Int64
  private let length: Int64
  private var position: Int64 = 0
  private var chunk: Chunk = .none
  private var isClosed = false

  private enum Chunk {
    case none
    case reading
    /// Bytes of our part, starting at `offset`.
    case ready([UInt8], offset: Int64)
    case failed
  }

  private static let chunkBytes = 262_144

  init?(_ original: Int32, of account: UInt32, offset: Int64, length: Int64) {
    guard let descriptor = SharedDescriptor(copying: original, of: account) else { return nil }
    self.descriptor = descriptor
    start = offset
    self.length = length
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> RequestBodySource.ReadResult {
    let wanted = Int(min(Int64(target.count), length - position))
    guard wanted > 0 else { return .end }
    switch chunk {
    case .reading: return .wait
    case .failed: return .failed
    case .ready(let bytes, let offset):
      let skipped = Int(position - offset)
      if bytes.indices.contains(skipped) {
        let count = min(wanted, bytes.count - skipped)
        target.copyBytes(from: bytes[skipped..<(skipped + count)])
        return advance(count)
      }
      chunk = .none
    case .none: break
    }
    let count = transport_read_cached(descriptor.number, target.baseAddress, wanted, start + position)
    if count > 0 { return advance(count) }
    // The file is shorter than stated.
    if count == 0 { return .failed }
    guard [EAGAIN, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) else { return .failed }
    readElsewhere()
    return .wait
  }

  func rewind(to offset: Int64) -> Bool {
    guard offset >= 0, offset <= length else { return false }
    position = offset
    return true
  }

  /// The descriptor is closed when a running read has ended.
  func close() {
    isClosed = true
    whenReady = nil
    chunk = .none
  }

  private func advance(_ count: Int) -> RequestBodySource.ReadResult {
    position += Int64(count)
    return .bytes(count)
  }

  private func readElsewhere() {
    chunk = .reading
    let descriptor = descriptor
    let offset = position
    let place = start + position
    let count = Int(min(Int64(Self.chunkBytes), length - position))
    FileLane.submit(for: descriptor.number, of: descriptor.account) {
      [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(descriptor.number, buffer.baseAddress, count, off_t(place)))
      }
    } then: { [weak self] bytes in
      guard let self, !isClosed else { return }
      chunk = bytes.isEmpty ? .failed : .ready(bytes, offset: offset)
      whenReady?()
    }
  }
}

/// A copy of a caller's descriptor that is closed with its last user.
final class SharedDescriptor: Sendable {
  let number: Int32
  /// Of the caller.
  let account: UInt32

  init?(copying original: Int32, of account: UInt32) {
    let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    number = copy
    self.account = account
  }

  deinit { DescriptorCloser.close(number, of: account) }
}
