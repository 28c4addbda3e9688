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
    guard !peer.isClosed else { return .failed(.broken) }
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
    peer.send { writer in
      Envelope.notification(to: &writer, "task/didReceiveData") { writer in
        writer.beginObject()
        writer.member("task", task)
        writer.member("session", session)
        writer.member("offset", offset)
        writer.key("base64")
        writer.base64(bytes)
        writer.endObject()
      }
    }
    offset += Int64(bytes.count)
    return .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(offset)))
  }

  func abandon() { onDrained = nil }
}
