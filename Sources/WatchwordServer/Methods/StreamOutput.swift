internal import Glibc
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// Sends the body as `task/didReceiveData` notifications, as fast as the peer reads them.
@ReactorActor
final class StreamOutput: TaskOutput {
  var onDrained: (() -> Void)?
  private let peer: Peer
  private let task: String
  private let session: String
  private var offset: Int64 = 0
  private var isWaiting = false

  init(to peer: Peer, task: String, session: String) {
    self.peer = peer
    self.task = task
    self.session = session
  }

  func write(_ bytes: UnsafeRawBufferPointer, mayWait: Bool) -> OutputAnswer {
    guard !peer.isClosed else { return .failed(.broken(EPIPE)) }
    guard !mayWait || !peer.isCongested else {
      if !isWaiting {
        isWaiting = true
        peer.whenDrained { [weak self] in
          self?.isWaiting = false
          self?.onDrained?()
        }
      }
      return .full
    }
    peer.notify(TaskDidReceiveData(task: task, session: session, offset: offset, bytes: bytes))
    offset += Int64(bytes.count)
    return .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(offset)))
  }

  func abandon() { onDrained = nil }
}
