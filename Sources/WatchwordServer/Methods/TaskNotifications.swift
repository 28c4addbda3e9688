internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Notifications to the connection of a task while it runs.
@ReactorActor
enum TaskNotifications {
  static func response(
    _ head: ResponseHead, _ url: RequestURL, of task: FetchTask, in session: Session, to peer: Peer
  ) {
    peer.notify(
      TaskDidReceiveResponse(
        task: task.order.name, session: session.name, url: url.text, head: task.shown(head),
        isLoginPage: task.isLoginPage))
  }

  static func passed(
    _ passed: TaskStateMachine.PassedHead, of task: FetchTask, in session: Session, to peer: Peer
  ) {
    peer.notify(
      TaskDidReceiveHead(
        task: task.order.name, session: session.name, hop: passed.hop, url: passed.url.text,
        head: task.shown(passed.head)))
  }

  static func redirect(
    _ record: TaskStateMachine.RedirectRecord, _ response: ResponseHead, of task: FetchTask,
    in session: Session, to peer: Peer
  ) {
    peer.notify(
      TaskDidRedirect(
        task: task.order.name, session: session.name, from: record.from.text, to: record.to.text,
        response: task.shown(response)))
  }

  /// Progress is not queued: a peer that reads slowly receives it less often.
  static func sentBody(_ sent: Int64, _ total: Int64?, of task: String, in session: Session, to peer: Peer) {
    guard !peer.isCongested else { return }
    peer.notify(TaskDidSendBodyData(task: task, session: session.name, bytesSent: sent, totalBytes: total))
  }

  static func willRedirect(
    _ request: RedirectedRequest, _ response: ResponseHead, of task: FetchTask, in session: Session,
    to peer: Peer
  ) {
    peer.notify(
      TaskWillRedirect(
        task: task.order.name, session: session.name, response: response, request: request,
        sensitiveHeaders: task.order.sensitiveHeaders))
  }

  static func finish(_ outcome: TaskOutcome, of task: FetchTask, in session: Session, to peer: Peer) {
    switch outcome {
    case .success(let result):
      let (reply, files) = TaskMethods.describe(result, of: task, in: session)
      peer.notify(TaskDidFinish.success(reply), with: files)
    case .failure(let failure):
      let error = RPCError(failure, of: task)
      peer.notify(TaskDidFinish.failure(task: task.order.name, session: session.name, error))
    }
  }
}
