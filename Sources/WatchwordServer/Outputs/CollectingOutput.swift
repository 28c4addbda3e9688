internal import WatchwordCore
internal import WatchwordReactor

/// Keeps the body for the reply: in memory while small, beyond that in a memory file for peers that take
/// descriptors.
@ReactorActor
final class CollectingOutput: TaskOutput {
  /// Up to here a body is cheaper inside the reply than beside it (base64 costs 4.5 ms a MiB).
  static let inlineBytes: Int64 = 64 * 1024

  var onDrained: (() -> Void)?
  private var bytes: [UInt8] = []
  private var file: MemoryFile?
  private var size: Int64 = 0
  private let inlineLimit: Int64
  /// The largest body that may travel as a memory file; nil when none may.
  private let memoryFileLimit: Int64?
  /// The task's, of which this output has what is in `bytes`.
  private let charge: MemoryCharge

  /// - Parameters:
  ///   - inlineLimit: the largest body that is kept in the reply, in bytes.
  ///   - memoryFileLimit: the largest body that may travel as a descriptor; nil when none may.
  ///   - charge: what the daemon keeps for the task.
  init(inlineLimit: Int64, memoryFileLimit: Int64?, charge: MemoryCharge) {
    self.charge = charge
    self.inlineLimit = inlineLimit
    self.memoryFileLimit = memoryFileLimit
  }

  func write(_ new: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    size += Int64(new.count)
    guard let memoryFileLimit, size > CollectingOutput.inlineBytes else {
      guard size <= inlineLimit else { return .failed(.tooLarge(.inlineBodyBytes)) }
      guard charge.grow(by: new.count) else { return .failed(.overBudget) }
      bytes.append(contentsOf: new)
      return .taken
    }
    guard size <= memoryFileLimit else { return .failed(.tooLarge(.memoryBodyBytes)) }
    return spill(new).map { .failed($0) } ?? .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    guard let file else { return completion(.success(.bytes(bytes))) }
    file.rewind()
    self.file = nil
    completion(.success(.file(file)))
  }

  func abandon() {
    dropBytes()
    file = nil
  }

  private func dropBytes() {
    charge.shrink(by: bytes.count)
    bytes = []
  }

  /// Why the file has not taken the bytes, if it has not.
  private func spill(_ new: UnsafeRawBufferPointer) -> OutputFault? {
    if let file { return file.append(new) }
    let file: MemoryFile
    do throws(OutputFault) { file = try MemoryFile(charge.another()) } catch { return error }
    if let fault = bytes.withUnsafeBytes({ file.append($0) }) { return fault }
    dropBytes()
    self.file = file
    return file.append(new)
  }
}
