internal import Glibc
internal import WatchwordReactor

/// Writes the body to a caller's descriptor as it arrives, outside JSON.
///
/// A file in memory is written as the bytes arrive. Any other regular file is written on the pool (a FUSE or
/// network file must not stall the loop), from one of two buffers while the other fills. A pipe or socket is
/// written only when ready, so that it never blocks the loop.
@ReactorActor
final class DescriptorOutput: TaskOutput {
  var onDrained: (() -> Void)?
  private let descriptor: CallerDescriptor
  private let isMemory: Bool
  /// For the memory of both buffers.
  private let charge: MemoryCharge
  /// The buffer that fills; the other one is being written, if any is.
  private var filling = WriteBuffer()
  private var spare: WriteBuffer?
  private(set) var isWriting = false
  private var isWaitedFor = false
  private var size: Int64 = 0
  private var fault: OutputFault?
  private var completion: (@ReactorActor (Result<TaskBody, OutputFault>) -> Void)?
  private var watch: Watch?

  /// Takes over `descriptor`, already checked for writing; it is closed after the last write.
  ///
  /// - Parameter charge: has nothing yet, and is for the output alone.
  init(_ descriptor: CallerDescriptor, charge: MemoryCharge) {
    self.descriptor = descriptor
    self.charge = charge
    isMemory = descriptor.isMemory
  }

  /// Truncates the file before the first write: on the pool, like every write. The next call reports a fault.
  func restart() -> OutputFault? {
    if isMemory { return descriptor.restart().map { .broken($0) } }
    isWriting = true
    FileLane.submit(for: descriptor.number, of: descriptor.account) { [descriptor] in
      descriptor.restart()
    } then: { [self] fault in
      ended(WriteBuffer(), fault)
    }
    return nil
  }

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    if let fault { return .failed(fault) }
    if isMemory {
      if let fault = descriptor.writeAll(bytes) { return .failed(.broken(fault)) }
    } else {
      guard let growth = filling.growth(for: bytes.count) else { return full() }
      if !charge.grow(by: growth) {
        // What is being written makes room. After that it goes on: libcurl has held these bytes until now.
        if mayWait, isWriting { return full() }
        guard !mayWait || filling.heldBytes > 0 else { return .failed(.overBudget) }
        charge.growAnyway(by: growth)
      }
      guard filling.append(bytes) else { return .failed(.overBudget) }
      if !isWriting { drain() }
    }
    size += Int64(bytes.count)
    return .taken
  }

  private func full() -> OutputAnswer {
    isWaitedFor = true
    return .full
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
    filling.removeAll()
  }

  /// A broken download resumes after the bytes already received. A pipe is not resumed, and its reader may be
  /// slow.
  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) {
    guard descriptor.isRegular else {
      abandon()
      return completion()
    }
    onDrained = nil
    finish { _ in completion() }
  }

  /// Starts the next write, or finishes when nothing is left.
  private func drain() {
    guard fault == nil, !filling.isEmpty else { return settle() }
    isWriting = true
    let batch = filling
    filling = spare ?? WriteBuffer()
    spare = nil
    guard descriptor.isRegular else { return writeWhenReady(batch, sent: 0) }
    FileLane.submit(for: descriptor.number, of: descriptor.account) { [descriptor] in
      batch.withBytes(descriptor.writeAll)
    } then: { [self] fault in
      ended(batch, fault)
    }
  }

  private func ended(_ batch: WriteBuffer, _ error: Int32?) {
    isWriting = false
    batch.removeAll()
    spare = batch
    // The larger one serves what comes next: there may be no room to let the other one grow.
    if filling.isEmpty, filling.heldBytes < batch.heldBytes { (filling, spare) = (batch, filling) }
    if let error { fault = .broken(error) }
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

  /// Writes what a pipe or socket accepts now, and the rest when it is ready again.
  private func writeWhenReady(_ batch: WriteBuffer, sent: Int) {
    watch?.cancel()
    watch = nil
    var sent = sent
    while sent < batch.count {
      let written = batch.withBytes {
        descriptor.writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      guard written >= 0 else { return ended(batch, Int32(-written)) }
      if written == 0 { return wait(batch, sent: sent) }
      sent += written
    }
    ended(batch, nil)
  }

  private func wait(_ batch: WriteBuffer, sent: Int) {
    do {
      watch = try EventLoop.shared.watch(descriptor.readyNumber, for: .writable) { [weak self] _ in
        self?.writeWhenReady(batch, sent: sent)
      }
    } catch {
      ended(batch, EIO)
    }
  }
}

/// Bytes to be written to a descriptor.
///
/// Sendable because it has one owner at a time: the output while it fills, the pool while it is written.
final class WriteBuffer: @unchecked Sendable {
  /// Large enough that passing it to the pool costs little compared to the copy.
  private static let capacity = 1024 * 1024

  /// Of its own, not of the heap: there the part that is not used would have the pages of what was there
  /// before.
  private var memory: UnsafeMutableRawBufferPointer?
  private(set) var count = 0
  /// How much of the memory has ever been used: the rest costs nothing.
  private(set) var heldBytes = 0

  deinit { unmap() }

  var isEmpty: Bool { count == 0 }

  /// By how much its memory grows when so many bytes are appended; nil when they have no place. An empty one
  /// takes any number.
  func growth(for more: Int) -> Int? {
    guard isEmpty || count + more <= WriteBuffer.capacity else { return nil }
    return max(0, count + more - heldBytes)
  }

  /// False when the system has no memory.
  ///
  /// - Parameter bytes: have a place.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if (memory?.count ?? 0) < count + bytes.count {
      unmap()
      memory = WriteBuffer.map(max(WriteBuffer.capacity, bytes.count))
    }
    guard let memory else { return bytes.isEmpty }
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
    heldBytes = max(heldBytes, count)
    return true
  }

  func removeAll() { count = 0 }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(
      UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory ?? .init(start: nil, count: 0))[..<count]))
  }

  private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return start == MAP_FAILED ? nil : UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  private func unmap() {
    if let memory { munmap(memory.baseAddress, memory.count) }
    memory = nil
  }
}
