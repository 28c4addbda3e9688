internal import CLinux
internal import Glibc
internal import WatchwordReactor

/// Writes the body to a descriptor of the caller's as it arrives, off the JSON path.
///
/// A regular file is written on the pool (a FUSE or network file must not stall everybody), from one of two
/// buffers while the other fills. A pipe or socket is written only when ready and never so that the loop could
/// block. The sender's flags are never changed: `O_NONBLOCK` is shared with its description.
@ReactorActor
final class DescriptorOutput: TaskOutput {
  /// Big enough that a hand-over to the pool costs nothing beside the copy.
  private static let bufferBytes = 1024 * 1024

  var onDrained: (() -> Void)?
  private let descriptor: Int32
  private let isRegular: Bool
  private var filling: [UInt8] = []
  private var size: Int64 = 0
  private var isWriting = false
  private var isWaitedFor = false
  private var fault: OutputFault?
  private var completion: (@ReactorActor (Result<TaskBody, OutputFault>) -> Void)?
  private var watch: Watch?
  private var sent = 0

  /// Takes over `descriptor`, which ``CallerDescriptor`` has checked for writing.
  init(_ descriptor: CallerDescriptor) {
    self.descriptor = descriptor.number
    isRegular = descriptor.isRegular
    owner = descriptor
  }

  /// Closes the descriptor when the last write is over.
  private let owner: CallerDescriptor

  func write(_ bytes: UnsafeRawBufferPointer) -> OutputAnswer {
    if let fault { return .failed(fault) }
    guard filling.isEmpty || filling.count + bytes.count <= DescriptorOutput.bufferBytes else {
      isWaitedFor = true
      return .full
    }
    if filling.capacity < DescriptorOutput.bufferBytes && bytes.count > 16 * 1024 {
      filling.reserveCapacity(DescriptorOutput.bufferBytes)
    }
    filling.append(contentsOf: bytes)
    size += Int64(bytes.count)
    if !isWriting { drain() }
    return .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    self.completion = completion
    if !isWriting { drain() }
  }

  func abandon() {
    completion = nil
    onDrained = nil
    watch?.cancel()
    watch = nil
    filling = []
  }

  /// Starts the next write, or finishes when nothing is left.
  private func drain() {
    guard fault == nil, !filling.isEmpty else { return settle() }
    isWriting = true
    let batch = filling
    filling = []
    if isRegular {
      let descriptor = owner
      BlockingPool.shared.submit {
        descriptor.writeAll(batch)
      } then: { [self] succeeded in
        batchEnded(succeeded)
      }
    } else {
      sent = 0
      writeWhenReady(batch)
    }
  }

  private func batchEnded(_ succeeded: Bool) {
    isWriting = false
    if !succeeded { fault = .broken }
    drain()
    if isWaitedFor {
      isWaitedFor = false
      onDrained?()
    }
  }

  private func settle() {
    guard let completion else { return }
    self.completion = nil
    completion(fault.map { .failure($0) } ?? .success(.size(size)))
  }

  /// Writes what a pipe or socket takes now, and the rest when it is ready again.
  private func writeWhenReady(_ batch: [UInt8]) {
    while sent < batch.count {
      let written = batch.withUnsafeBytes {
        owner.writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      if written > 0 {
        sent += written
      } else if written == 0 {
        return wait(for: batch)
      } else {
        watch?.cancel()
        watch = nil
        return batchEnded(false)
      }
    }
    watch?.cancel()
    watch = nil
    batchEnded(true)
  }

  private func wait(for batch: [UInt8]) {
    watch?.cancel()
    do {
      watch = try EventLoop.shared.watch(owner.readyNumber, for: .writable) { [weak self] _ in
        self?.writeWhenReady(batch)
      }
    } catch {
      batchEnded(false)
    }
  }
}
