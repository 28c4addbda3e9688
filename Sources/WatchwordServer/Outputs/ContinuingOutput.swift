internal import WatchwordCore
internal import WatchwordReactor

/// Writes the rest of a download behind the part that a file of the caller's holds, or the whole in its place.
@ReactorActor
final class ContinuingOutput: TaskOutput {
  var onDrained: (() -> Void)? {
    get { file.onDrained }
    set { file.onDrained = newValue }
  }

  private let file: DescriptorOutput
  private let partial: PartialDownload
  /// Before the head nothing belongs to the file.
  private var continuation = PartialDownload.Continuation.discarded
  /// How much of the rest has not come yet.
  private var missing: Int64 = 0
  /// Of a body that does not go to the file.
  private var discarded: Int64 = 0

  init(_ descriptor: CallerDescriptor, _ partial: PartialDownload) {
    self.partial = partial
    file = DescriptorOutput(descriptor)
  }

  func begin(_ head: ResponseHead) -> OutputFault? {
    continuation = partial.continuation(head)
    missing = partial.partLength(head) ?? 0
    return continuation == .restarted ? file.restart() : nil
  }

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    switch continuation {
    case .continued:
      guard Int64(bytes.count) <= missing else { return .failed(.contradiction) }
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
    let (continuation, discarded, missing) = (continuation, discarded, missing)
    file.finish { result in
      // A body without a length may have ended early; what came of it belongs there.
      if case .success = result, continuation == .continued, missing > 0 {
        return completion(.failure(.contradiction))
      }
      completion(
        result.map { body in
          guard case .size(let written) = body else { return body }
          return .partial(size: written + discarded, continuation)
        })
    }
  }

  func abandon() { file.abandon() }

  func abandonGently(_ completion: @escaping @ReactorActor () -> Void) { file.abandonGently(completion) }
}
