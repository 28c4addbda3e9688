internal import WatchwordCore
internal import WatchwordReactor

/// The destination of the body of a task's result.
///
/// Takes bytes as they arrive, may pause the transfer, and returns the result's `body` at the end.
@ReactorActor
protocol TaskOutput: AnyObject {
  /// Called when there is room again after `write` returned `.full`.
  var onDrained: (() -> Void)? { get set }

  /// What becomes of the file that it continues, once the head is known; nil if it continues none.
  var continuation: PartialDownload.Continuation? { get }

  /// The head of the response whose body follows; a fault when the output cannot take that body.
  func begin(_ head: ResponseHead) -> OutputFault?
  /// - Parameter mayWait: false for bytes that cannot be offered again; they are few, and always taken.
  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer
  /// All bytes have been given; `completion` is called when they are at their destination, possibly at once.
  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void)
  /// What hashes the whole file, after `finish`; nil if there is none to be read, or no algorithm is wanted.
  func hashing(_ algorithms: Set<IntegrityAlgorithm>) -> FileHashing?
  /// The task ends without this body: releases what is held.
  func abandon()
  /// The same without haste: bytes that a later download can continue are written first.
  func abandonGently(_ completion: @escaping @ReactorActor () -> Void)
}

extension TaskOutput {
  var continuation: PartialDownload.Continuation? { nil }

  func hashing(_ algorithms: Set<IntegrityAlgorithm>) -> FileHashing? { nil }

  /// Most outputs take the body of every response.
  func begin(_ head: ResponseHead) -> OutputFault? { nil }

  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) {
    abandon()
    completion()
  }
}

extension TaskFailure {
  init(_ fault: OutputFault) {
    switch fault {
    case .tooLarge(let limit): self = .bodyTooLarge(limit)
    case .overBudget: self = .overBudget
    case .partMismatch: self = .partMismatch
    case .broken(let error): self = .outputFailed(error)
    }
  }
}

enum OutputAnswer: Sendable {
  case taken
  /// Refused all bytes; offer them again after `onDrained`.
  case full
  case failed(OutputFault)
}

enum OutputFault: Error, Sendable {
  /// The body exceeds this limit of the output.
  case tooLarge(BodyLimit)
  /// The uid would exceed its memory budget.
  case overBudget
  /// The body is not the part that was asked for, or has another length than its head says.
  case partMismatch
  /// Writing to the caller's descriptor failed, with this `errno`.
  case broken(Int32)
}

/// Counts the bytes and discards them.
@ReactorActor
final class DiscardingOutput: TaskOutput {
  var onDrained: (() -> Void)?
  private var size: Int64 = 0

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    size += Int64(bytes.count)
    return .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(size)))
  }

  func abandon() {}
}
