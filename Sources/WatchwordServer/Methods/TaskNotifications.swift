internal import Glibc
internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Notifications to the connection of a task while it runs.
@ReactorActor
enum TaskNotifications {
  static func response(
    _ head: ResponseHead, _ url: RequestURL, of task: TaskDriver, in session: SessionDriver, to peer: Peer
  ) {
    peer.notify(
      .taskDidReceiveResponse(
        .init(
          task: task.order.name, session: session.name, url: url.text, head: task.known.shown(head),
          isLoginPage: task.known.machine.isLoginPage)))
  }

  static func passed(
    _ passed: TaskStateMachine.PassedHead, of task: TaskDriver, in session: SessionDriver, to peer: Peer
  ) {
    peer.notify(
      .taskDidReceiveHead(
        .init(
          task: task.order.name, session: session.name, hop: passed.hop, url: passed.url.text,
          head: task.known.shown(passed.head))))
  }

  static func redirect(
    _ record: TaskStateMachine.RedirectRecord, _ response: ResponseHead, of task: TaskDriver,
    in session: SessionDriver, to peer: Peer
  ) {
    peer.notify(
      .taskDidRedirect(
        .init(
          task: task.order.name, session: session.name, from: record.from.text, to: record.to.text,
          response: task.known.shown(response))))
  }

  /// Progress is not queued: a peer that reads slowly receives it less often.
  static func sentBody(
    _ sent: Int64, _ total: Int64?, of task: String, in session: SessionDriver, to peer: Peer
  ) {
    guard !peer.isCongested else { return }
    peer.notify(
      .taskDidSendBodyData(
        .init(
          task: task, session: session.name, bytesSent: Int(sent), totalBytes: total.map { Int($0) })))
  }

  static func willRedirect(
    _ request: RequestStep, _ response: ResponseHead, of task: TaskDriver, in session: SessionDriver,
    to peer: Peer
  ) {
    peer.notify(
      .taskWillRedirect(
        .init(
          task: task.order.name, session: session.name, response: response, request: request,
          sensitiveHeaders: task.known.request.firstStep.sensitiveNames)))
  }

  static func finish(_ outcome: TaskOutcome, of task: TaskDriver, in session: SessionDriver, to peer: Peer) {
    switch outcome {
    case .success(let result):
      let (reply, files) = TaskMethods.describe(result, of: task, in: session)
      peer.notify(.taskDidFinish(.result(reply)), with: files)
    case .failure(let failure):
      let error = RPCError(failure, of: task).sent
      peer.notify(
        .taskDidFinish(.failure(.init(task: task.order.name, session: session.name, error: error))))
    }
  }
}

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
    peer.notify(of: bytes, at: offset, of: task, in: session)
    offset += Int64(bytes.count)
    return .taken
  }

  func finish(_ completion: @escaping @ReactorActor (Result<TaskBody, OutputFault>) -> Void) {
    completion(.success(.size(offset)))
  }

  func abandon() { onDrained = nil }
}
