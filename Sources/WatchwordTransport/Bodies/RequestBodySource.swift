internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The source of a request body for libcurl, which never blocks the loop.
@ReactorActor
final class RequestBodySource {
  enum ReadResult {
    case bytes(Int)
    /// Nothing available yet; `whenReady` is called.
    case wait
    case end
    case failed
  }

  private enum Kind {
    case bytes(UnsafeMutableRawBufferPointer)
    case file(PositionedFile)
    case stream(StreamedDescriptor)
  }

  private let kind: Kind
  /// Whether the bytes in memory are wiped when they are given back.
  private let isSecret: Bool
  private var position = 0

  private init(_ kind: Kind, isSecret: Bool = false) {
    self.kind = kind
    self.isSecret = isSecret
  }

  static func secret(_ secret: Secret) -> RequestBodySource {
    secret.withBytes { RequestBodySource(.bytes(copy($0)), isSecret: true) }
  }

  static func bytes(_ bytes: [UInt8]) -> RequestBodySource {
    bytes.withUnsafeBytes { RequestBodySource(.bytes(copy($0))) }
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeMutableRawBufferPointer(rebasing: copy[0..<bytes.count])
  }

  /// - Parameter account: of the caller that passed the descriptor.
  static func file(
    _ descriptor: Int32, of account: UInt32, offset: Int64, length: Int64
  ) throws(TransportError) -> RequestBodySource {
    guard offset >= 0, length >= 0, transport_descriptor_kind(descriptor) == TRANSPORT_FILE,
      let file = PositionedFile(descriptor, of: account, offset: offset, length: length)
    else { throw .requestBodyFailed }
    return RequestBodySource(.file(file))
  }

  /// - Parameter account: of the caller that passed the descriptor.
  static func stream(_ descriptor: Int32, of account: UInt32) throws(TransportError) -> RequestBodySource {
    guard let stream = StreamedDescriptor(descriptor, of: account) else { throw .requestBodyFailed }
    return RequestBodySource(.stream(stream))
  }

  /// Sets the handler that is called, not from inside `read`, when `read` can make progress.
  func whenReady(_ handler: @escaping @ReactorActor () -> Void) {
    switch kind {
    case .bytes: break
    case .file(let file): file.whenReady = handler
    case .stream(let stream): stream.whenReady = handler
    }
  }

  /// The bytes in memory; they do not move before `close`.
  var memory: UnsafeRawPointer? {
    switch kind {
    case .bytes(let bytes): UnsafeRawPointer(bytes.baseAddress)
    case .file, .stream: nil
    }
  }

  /// The number of bytes, if they are in memory.
  var inlineCount: Int? {
    switch kind {
    case .bytes(let bytes): bytes.count
    case .file, .stream: nil
    }
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> ReadResult {
    switch kind {
    case .bytes(let bytes):
      let count = min(target.count, bytes.count - position)
      guard count > 0 else { return .end }
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
      position += count
      return .bytes(count)
    case .file(let file): return file.read(into: target)
    case .stream(let stream): return stream.read(into: target)
    }
  }

  /// Moves back to `offset`; false when the bytes are no longer available.
  func rewind(to offset: Int64) -> Bool {
    switch kind {
    case .bytes(let bytes):
      guard offset >= 0, offset <= Int64(bytes.count) else { return false }
      position = Int(offset)
      return true
    case .file(let file): return file.rewind(to: offset)
    case .stream(let stream): return offset == 0 && !stream.hasStarted
    }
  }

  func close() {
    switch kind {
    case .bytes(let bytes):
      if isSecret, let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
      bytes.deallocate()
    case .file(let file): file.close()
    case .stream(let stream): stream.close()
    }
  }
}

/// A caller's pipe or socket, read once as data arrives.
@ReactorActor
final class StreamedDescriptor {
  var whenReady: (@ReactorActor () -> Void)?
  private(set) var hasStarted = false
  /// Our own descriptor of the same open file: the caller's may be closed before the exchange ends.
  private let descriptor: Int32
  private let account: UInt32
  private let kind: transport_descriptor_kind
  private var watch: Watch?

  /// - Parameter account: of the caller.
  init?(_ original: Int32, of account: UInt32) {
    let kind = transport_descriptor_kind(original)
    guard kind == TRANSPORT_PIPE || kind == TRANSPORT_SOCKET else { return nil }
    let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    descriptor = copy
    self.account = account
    self.kind = kind
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> RequestBodySource.ReadResult {
    let count = transport_read_stream(descriptor, kind, target.baseAddress, target.count)
    if count > 0 {
      hasStarted = true
      return .bytes(count)
    }
    if count == 0 { return .end }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return .failed }
    return wait() ? .wait : .failed
  }

  func close() {
    watch?.cancel()
    watch = nil
    whenReady = nil
    DescriptorCloser.close(descriptor, of: account)
  }

  private func wait() -> Bool {
    guard watch == nil else { return true }
    watch = try? EventLoop.shared.watch(descriptor, for: .readable) { [weak self] _ in
      guard let self else { return }
      // Level-triggered: watched again when the next read finds it empty.
      watch?.cancel()
      watch = nil
      whenReady?()
    }
    return watch != nil
  }
}
