internal import Logging
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

extension Daemon {
  /// One line for a task that has ended: `info` when its caller has not got what it wanted, else `debug`.
  func log(_ outcome: TaskOutcome, of task: FetchTask) {
    guard logger.logLevel <= .info else { return }
    let ending: TaskLogLine.Outcome =
      switch outcome {
      case .success(let result): .status(result.head.status)
      case .failure(let failure): .failure(RPCError(failure, of: task).kind)
      }
    let level: Logger.Level = TaskLogLine.isFailure(ending) ? .info : .debug
    guard logger.logLevel <= level else { return }
    let line = TaskLogLine(
      method: task.order.method, origin: task.url.origin, outcome: ending,
      seconds: EventLoop.shared.now - task.began, session: task.session.name, task: task.order.name,
      program: task.peer.flatMap { peers[$0]?.process.executable })
    var metadata: Logger.Metadata = ["uid": "\(task.session.uid)"]
    for field in line.fields { metadata[field.name] = "\(field.value)" }
    logger.log(level: level, "\(line.message)", metadata: metadata)
  }
}
