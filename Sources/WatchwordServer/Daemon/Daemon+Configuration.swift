internal import Logging
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// What `server/configuration` shows.
extension Daemon {
  /// Each member as it is in use: some of the file that was read last, some of that of the start.
  var configurationInUse: Sent.ServerConfiguration {
    let place = options.configuration
    return Sent.ServerConfiguration(
      path: place?.path, isRead: configurationMembers != nil, isGiven: place.map { !$0.isOwn } ?? false,
      members: ConfigurationMembers.outermost.map(setting))
  }

  private func setting(_ member: ConfigurationMembers.Outermost) -> Sent.ServerSetting {
    let file = member.needsStart ? options.configurationMembers : configurationMembers
    let given = file?[member.name]
    // Left out, the level stays; an option of the command line comes before that of the file.
    if member.name == "logLevel" {
      return Sent.ServerSetting(
        name: member.name, value: .made(.string(logger.logLevel.rawValue)), isDefault: given == nil)
    }
    return Sent.ServerSetting(
      name: member.name, value: (given ?? defaultValue(of: member)).map(OpenValue.read) ?? .made(.null),
      isDefault: given == nil)
  }

  private func defaultValue(of member: ConfigurationMembers.Outermost) -> JSONNode? {
    guard let text = member.defaultText else { return nil }
    return Array(text.utf8).withUnsafeBytes { try? JSONParser().parse($0) }
  }
}

extension Daemon {
  /// One line for a task that has ended: `info` when its caller has not got what it wanted, else `debug`.
  func log(_ outcome: TaskOutcome, of task: TaskDriver) {
    guard logger.logLevel <= .info else { return }
    let ending: TaskLogLine.LoggedEnd =
      switch outcome {
      case .success(let result): .status(result.head.status)
      case .failure(let failure): .failure(RPCError(failure, of: task).kind)
      }
    let level: Logger.Level = TaskLogLine.isFailure(ending) ? .info : .debug
    guard logger.logLevel <= level else { return }
    let line = TaskLogLine(
      method: task.known.request.firstStep.method, origin: task.url.origin, outcome: ending,
      seconds: EventLoop.shared.now - task.began, session: task.session.name, task: task.order.name,
      program: task.peer.flatMap { peers[$0]?.process.executable },
      traceContext: task.known.request.traceContext)
    var metadata: Logger.Metadata = ["uid": "\(task.session.uid)"]
    for field in line.fields { metadata[field.name] = "\(field.value)" }
    logger.log(level: level, "\(line.message)", metadata: metadata)
  }
}
