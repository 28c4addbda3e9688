internal import WatchwordCore
internal import WatchwordReactor

/// Where the body of a task's result goes.
///
/// Takes bytes as they arrive, may ask the transfer to wait, and says at the end what the result's `body` is.
@ReactorActor
protocol TaskOutput: AnyObject {
  /// Called when room is there again after `write` returned `.full`.
  var onDrained: (() -> Void)? { get set }

  /// The head of the response whose body follows; a fault when that body has no place here.
  func begin(_ head: ResponseHead) -> OutputFault?
  /// - Parameter mayWait: false for bytes that cannot be offered again; they are few, and taken.
  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer
  /// Everything has been given; `completion` comes once all of it is where it belongs, maybe at once.
  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void)
  /// The task ends without this body: give up what is held.
  func abandon()
  /// The same, when nobody is in a hurry: what somebody may go on with is put where it belongs first.
  func abandonGently(_ completion: @escaping @ReactorActor () -> Void)
}

extension TaskOutput {
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
    case .contradiction: self = .transport(.malformedResponse)
    case .broken(let error): self = .outputFailed(error)
    }
  }
}
