internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `session/*`.
@ReactorActor
enum SessionMethods {
  static func open(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try SessionOpenParameters(object)
    guard !daemon.isStopping else { throw .daemonIsStopping }
    let (session, isNew) = try daemon.registry.open(parameters, for: call.peer, environment: daemon)
    call.succeed(
      Sent.OpenedSession(
        session: session.name, created: isNew, warnings: session.configuration.warnings))
    daemon.noteChange()
  }

  static func close(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { session in
      call.peer.leave(session)
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

  static func configure(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try SessionConfigureParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    guard !session.isFinishing, !session.isOver else {
      throw .sessionInvalidated("session \(session.name) is finishing")
    }
    guard !session.isNamedAfterSettings else {
      throw .invalidParams(
        "params.session",
        "\(session.name) is named after its settings, which do not change; open another with the new ones")
    }
    let old = session.configuration
    var new = old
    if let given = parameters.configuration, let named = object?.member("configuration")?.value {
      new = try old.changed(to: given, namedIn: named)
    }
    let changed = new.differingMembers(from: old)
    let change = SessionConfigurationChange(from: old, to: new)
    let configure = changed.isEmpty ? nil : try daemon.registry.prepare(new, for: session)
    let cookies =
      change.leadsElsewhere || new.cookies != old.cookies ? session.engine.cookies.list().count : 0
    let dropped =
      change.leadsElsewhere
      ? Sent.DroppedFromSession(
        credentials: session.state.memory.count, trust: session.state.trust.count,
        identities: session.state.identities.count, cookies: cookies)
      : Sent.DroppedFromSession(credentials: 0, trust: 0, identities: 0, cookies: cookies)
    call.succeed(
      Sent.ConfiguredSession(
        session: session.name, changed: changed, dropped: dropped, warnings: new.warnings))
    configure?()
    daemon.noteChange()
  }

  static func prune(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try SessionPruneParameters(object)
    var ended: [String] = []
    let sessions = daemon.registry.sessions(of: call.peer.process.uid).filter(\.isNamed)
    call.peer.taker.forEach(sessions[...]) { session in
      guard session.isUnused(for: parameters.olderThanSeconds) else { return }
      ended.append(session.name)
      session.invalidate(.invalidated)
    } then: {
      call.succeed(Sent.PrunedSessions(sessions: ended))
      daemon.noteChange()
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    var summaries: [Sent.SessionSummary] = []
    call.peer.taker.forEach(daemon.registry.all.filter { call.peer.sees($0) }[...]) { session in
      if !session.isOver { summaries.append(daemon.summary(of: session)) }
    } then: {
      call.succeed(Sent.SessionList(sessions: summaries))
    }
  }

  static func describe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    call.succeed(daemon.description(of: session))
  }

  /// Answers with the session's id and then acts, so that notifications follow the answer.
  private static func perform(
    _ daemon: Daemon, _ call: Call, _ object: JSONNode?, _ verb: (SessionDriver) -> Void
  ) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    call.succeed(Sent.SessionReference(session: session.name))
    verb(session)
    daemon.noteChange()
  }
}
