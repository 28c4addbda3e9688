internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `session/*`.
@ReactorActor
enum SessionMethods {
  static func open(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try SessionOpenParameters(object)
    guard !daemon.isStopping else { throw RPCError(.shuttingDown, "the daemon is stopping") }
    let (session, isNew) = try daemon.registry.open(parameters, for: call.peer, environment: daemon)
    call.succeed(
      Sent.OpenedSession(
        session: session.name, created: isNew, warnings: session.configuration.warnings))
    daemon.noteChange()
  }

  static func close(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { session in
      call.peer.sessions[session.name] = nil
      session.remove(call.peer.identifier)
    }
  }

  static func finish(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.finish() }
  }

  static func invalidate(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.invalidate(.invalidated) }
  }

  static func reset(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.reset() }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    var summaries: [Sent.SessionSummary] = []
    call.peer.taker.forEach(daemon.registry.all.filter { call.peer.sees($0) }[...]) { session in
      if !session.isOver { summaries.append(daemon.describe(session).summary) }
    } then: {
      call.succeed(Sent.SessionList(sessions: summaries))
    }
  }

  static func describe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let description = daemon.describe(session)
    call.succeed(description.description)
  }

  /// Answers with the session's id and then acts, so that notifications follow the answer.
  private static func perform(
    _ daemon: Daemon, _ call: Call, _ object: JSONNode?, _ verb: (Session) -> Void
  ) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    call.succeed(Sent.SessionReference(session: session.name))
    verb(session)
    daemon.noteChange()
  }
}
