internal import WatchwordReactor

/// Where the body of a task's result goes.
///
/// Takes bytes as they arrive, may ask the transfer to wait, and says at the end what the result's `body` is.
@ReactorActor
protocol TaskOutput: AnyObject {
  /// Called when room is there again after `write` returned `.full`.
  var onDrained: (() -> Void)? { get set }

  /// - Parameter mayWait: false for bytes that cannot be offered again; they are few, and taken.
  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer
  /// Everything has been given; `completion` comes once all of it is where it belongs, maybe at once.
  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void)
  /// The task ends without this body: give up what is held.
  func abandon()
}

enum OutputAnswer: Sendable {
  case taken
  /// Nothing was taken; offer the same bytes again after `onDrained`.
  case full
  case failed(OutputFault)
}

enum OutputFault: Error, Sendable {
  /// The body is larger than the output may take.
  case tooLarge
  /// Writing to the caller's descriptor failed, with this `errno`.
  case broken(Int32)
}

/// What a result says of its body.
enum TaskBody: Sendable {
  case bytes([UInt8])
  /// A descriptor that travels with the reply; closed by whoever sends it.
  case descriptor(Int32, size: Int64)
  /// The bytes went elsewhere: to a descriptor, into notifications, or nowhere.
  case size(Int64)
}
