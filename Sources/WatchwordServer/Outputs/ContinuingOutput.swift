internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor

/// Appends the rest of a download to a caller's file, or replaces its contents by the whole.
@ReactorActor
final class ContinuingOutput: TaskOutput {
  var onDrained: (() -> Void)? {
    get { file.onDrained }
    set { file.onDrained = newValue }
  }

  private let file: DescriptorOutput
  private let descriptor: CallerDescriptor
  private let partial: PartialDownload
  /// Before the head, no bytes belong to the file.
  private var decided = PartialDownload.Continuation.discarded
  /// Bytes of the rest that have not arrived yet.
  private var missing: Int64 = 0
  /// Bytes of a body that is not written to the file.
  private var discarded: Int64 = 0

  init(_ descriptor: CallerDescriptor, _ partial: PartialDownload, charge: MemoryCharge) {
    self.partial = partial
    self.descriptor = descriptor
    file = DescriptorOutput(descriptor, charge: charge)
  }

  var continuation: PartialDownload.Continuation? { decided }

  func begin(_ head: ResponseHead) -> OutputFault? {
    guard let continuation = partial.continuation(head) else { return .partMismatch }
    decided = continuation
    missing = partial.partLength(head) ?? 0
    return decided == .restarted ? file.restart() : nil
  }

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    switch decided {
    case .continued:
      guard Int64(bytes.count) <= missing else { return .failed(.partMismatch) }
      let answer = file.write(bytes, mayWait: mayWait)
      if case .taken = answer { missing -= Int64(bytes.count) }
      return answer
    case .restarted: return file.write(bytes, mayWait: mayWait)
    case .complete, .discarded:
      discarded += Int64(bytes.count)
      return .taken
    }
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    let (continuation, discarded, missing) = (decided, discarded, missing)
    file.finish { result in
      // A body without a length may have ended early; the bytes that arrived belong in the file.
      if case .success = result, continuation == .continued, missing > 0 {
        return completion(.failure(.partMismatch))
      }
      completion(
        result.map { body in
          guard case .size(let written) = body else { return body }
          return .partial(size: written + discarded, continuation)
        })
    }
  }

  func hashing(_ algorithms: Set<IntegrityAlgorithm>) -> FileHashing? {
    algorithms.isEmpty || !descriptor.isReadable ? nil : FileHashing(descriptor, algorithms)
  }

  func abandon() { file.abandon() }

  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) { file.abandonGently(completion) }
}

/// Hashes a regular file from its first byte to its last, on the pool: it may lie on a slow file system.
///
/// Piece by piece, so that other work of the pool comes in between. Sendable because one thread has it at a
/// time: the pool while it reads, the loop between two pieces.
final class FileHashing: @unchecked Sendable {
  /// What one visit of the pool reads: some 10 ms.
  private static let bytesPerVisit = 8 * 1024 * 1024
  private static let pieceBytes = 65_536

  private enum Progress: Sendable {
    case more
    case ended
    case failed
  }

  private let descriptor: CallerDescriptor
  private var hashes: BodyHashes
  private var position: off_t = 0

  init(_ descriptor: CallerDescriptor, _ algorithms: Set<IntegrityAlgorithm>) {
    self.descriptor = descriptor
    hashes = BodyHashes(algorithms)
  }

  /// Calls `completion` with the hashes; nil if the file cannot be read.
  @ReactorActor
  func run(_ completion: @escaping @ReactorActor ([IntegrityAlgorithm: HashValue]?) -> Void) {
    FileLane.submit(for: descriptor.number, of: descriptor.account) { [self] in
      visit()
    } then: { [self] progress in
      switch progress {
      case .more: run(completion)
      case .ended: completion(hashes.finish())
      case .failed: completion(nil)
      }
    }
  }

  private func visit() -> Progress {
    withUnsafeTemporaryAllocation(byteCount: Self.pieceBytes, alignment: 1) { piece in
      var left = Self.bytesPerVisit
      while left > 0 {
        let count = SystemCall.uninterrupted {
          pread(descriptor.number, piece.baseAddress, piece.count, position)
        }
        guard count >= 0 else { return .failed }
        if count == 0 { return .ended }
        hashes.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        position += off_t(count)
        left -= count
      }
      return .more
    }
  }
}
