internal import CLinux
internal import Glibc
internal import WatchwordReactor

/// Keeps the body for the reply: in memory while small, beyond that in a memfd for peers that take descriptors.
@ReactorActor
final class CollectingOutput: TaskOutput {
  /// Up to here a body is cheaper inside the reply than beside it (base64 costs 4.5 ms a MiB).
  static let inlineBytes = 64 * 1024

  var onDrained: (() -> Void)?
  private var bytes: [UInt8] = []
  private var descriptor: Int32 = -1
  private var size: Int64 = 0
  private let limit: Int64
  private let spills: Bool

  /// - Parameters:
  ///   - limit: the largest body that is kept, in bytes.
  ///   - spills: whether it may travel as a descriptor.
  init(limit: Int64, spills: Bool) {
    self.limit = limit
    self.spills = spills
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func write(_ new: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    size += Int64(new.count)
    if descriptor < 0 && !(spills && bytes.count + new.count > CollectingOutput.inlineBytes) {
      guard size <= limit else { return .failed(.tooLarge) }
      bytes.append(contentsOf: new)
      return .taken
    }
    return spill(new).map { .failed(.broken($0)) } ?? .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    guard descriptor >= 0 else { return completion(.success(.bytes(bytes))) }
    lseek(descriptor, 0, SEEK_SET)
    let sent = descriptor
    descriptor = -1
    completion(.success(.descriptor(sent, size: size)))
  }

  func abandon() { bytes = [] }

  /// Memory, not disk: writing to a memfd never waits. Why it failed, as `errno`, else nil.
  private func spill(_ new: UnsafeRawBufferPointer) -> Int32? {
    if descriptor < 0 {
      descriptor = clinux_memfd_create("watchword-body")
      guard descriptor >= 0 else { return errno }
      if let fault = bytes.withUnsafeBytes({ CallerDescriptor.writeAll($0, to: descriptor) }) { return fault }
      bytes = []
    }
    return CallerDescriptor.writeAll(new, to: descriptor)
  }
}
