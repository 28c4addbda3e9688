internal import WatchwordReactor

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
