internal import CTransport
internal import Glibc
internal import WatchwordReactor

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

  func read(into target: UnsafeMutableRawBufferPointer) -> RequestBodySource.Outcome {
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
