internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `fetch`, `task/*` and `redirect/reply`.
@ReactorActor
enum TaskMethods {
  static func fetch(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try FetchParameters(object)
    let session = try usableSession(parameters.session, daemon, call)
    let (request, order) = try TaskOrder.make(parameters, call: call, session: session, daemon: daemon)
    let task = TaskDriver(request, order, in: session) { task, outcome in
      switch outcome {
      case .success(let result):
        call.peer.whenReady {
          // The reply is counted from here on, and the body in the task goes.
          task.order.charge.giveBack()
          let (reply, files) = describe(result, of: task, in: session)
          call.succeed(with: files, reply.write)
        }
      case .failure(let failure): call.fail(RPCError(failure, of: task))
      }
    }
    // Unowned: the task retains the call until it has its reply.
    call.onCancel = { [unowned task] in task.stop(.requestCancelled) }
    if task.order.output is StreamOutput { observeHeads(of: task, session, call.peer) }
    observeRedirects(of: task, session, call.peer)
    session.start(task)
  }

  static func start(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try FetchParameters(object)
    let session = try usableSession(parameters.session, daemon, call)
    let (request, order) = try TaskOrder.make(parameters, call: call, session: session, daemon: daemon)
    let peer = call.peer
    let task = TaskDriver(request, order, in: session) { [unowned daemon] task, outcome in
      keepResult(of: task, outcome, session, daemon)
      peer.whenReady {
        task.order.charge.giveBack()
        TaskNotifications.finish(outcome, of: task, in: session, to: peer)
      }
    }
    observeHeads(of: task, session, peer)
    let name = task.order.name
    if !task.order.body.isEmpty {
      task.observers.sentBody = { sent, total in
        TaskNotifications.sentBody(sent, total, of: name, in: session, to: peer)
      }
    }
    observeRedirects(of: task, session, peer)
    call.succeed(Sent.TaskReference(task: name))
    session.start(task)
  }

  static func cancel(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.stop(.cancelled) }
  }

  static func suspend(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.suspend() }
  }

  static func resume(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try perform(daemon, call, object) { $0.resume() }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let tasks = session.tasks.values.filter(call.peer.mayUse).sorted(on: \.identifier.number)
    call.succeed(Sent.TaskList(tasks: tasks.map { describe($0, in: session, for: call.peer) }))
  }

  static func describe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let text = try TaskParameters(object).task
    let name = TaskName(uid: call.peer.process.uid, text: text)
    if let task = daemon.tasks[name], call.peer.mayUse(task) {
      return call.succeed(describe(task, in: task.session, for: call.peer))
    }
    // A task of a restricted connection is never detached.
    guard call.peer.restriction == nil, let kept = daemon.results.entry(name, for: call.peer.identifier)
    else { throw notFound(text) }
    call.succeed { writer in
      writer.beginObject()
      kept.description.writeMembers(to: &writer)
      writer.key(escaping: kept.member)
      writer.raw(kept.text)
      writer.endObject()
    }
  }

  static func redirectReply(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try RedirectReplyParameters(object)
    let task = try find(parameters.task, daemon, call.peer)
    guard let proposed = task.known.machine.proposedRedirect else {
      throw .redirectNotPending("task \(parameters.task) is not waiting for a redirect's answer")
    }
    let step = try parameters.request.flatMap { change throws(RPCError) in
      try redirect(of: task, to: proposed, changedBy: change)
    }
    guard task.order.charge.grow(by: parameters.request?.heldBytes ?? 0) else { throw .overBudget }
    call.succeed(Sent.TaskReference(task: parameters.task))
    task.redirectAnswered(step)
  }

  // MARK: Steps

  private static func redirect(
    of task: TaskDriver, to proposed: RequestStep, changedBy change: RedirectReplyParameters.Request
  ) throws(RPCError) -> RequestStep? {
    let url = try change.url.map { text throws(RPCError) in
      try URLParameter.parse(text, path: "params.request.url")
    }
    do throws(RedirectFault) {
      return try task.known.machine.proposedRedirect(to: url, method: change.method, headers: change.headers)
    } catch {
      throw RPCError(.redirect(error), at: url ?? proposed.url)
    }
  }

  private static func usableSession(
    _ name: String?, _ daemon: Daemon, _ call: Call
  ) throws(RPCError) -> SessionDriver {
    guard !daemon.isStopping else { throw .daemonIsStopping }
    let session = try daemon.registry.find(name, for: call.peer, environment: daemon)
    guard !session.isFinishing else {
      throw .sessionInvalidated("session \(session.name) is finishing")
    }
    let limit = Limits.limitOfTasks(
      daemon.tasks.count, waiting: daemon.registry.waitingTasks(of: call.peer.process.uid),
      isRestrictionFull: call.peer.restriction?.isFull ?? false)
    if let limit { throw .limitExceeded("too many tasks", limit: limit) }
    return session
  }

  private static func observeHeads(of task: TaskDriver, _ session: SessionDriver, _ peer: Peer) {
    task.observers.response = { task, head, url in
      TaskNotifications.response(head, url, of: task, in: session, to: peer)
    }
    task.observers.redirect = { task, record, response in
      guard let response else { return }
      TaskNotifications.redirect(record, response, of: task, in: session, to: peer)
    }
    task.observers.passed = { task, passed in
      TaskNotifications.passed(passed, of: task, in: session, to: peer)
    }
  }

  private static func observeRedirects(of task: TaskDriver, _ session: SessionDriver, _ peer: Peer) {
    task.observers.willRedirect = { task, request, response in
      guard !peer.isClosed else { return task.redirectAnswered(nil) }
      TaskNotifications.willRedirect(request, response, of: task, in: session, to: peer)
    }
  }

  private static func keepResult(
    of task: TaskDriver, _ outcome: TaskOutcome, _ session: SessionDriver, _ daemon: Daemon
  ) {
    // What a private session has done is for its connection only.
    let isGone = task.peer.flatMap { daemon.process(of: $0) } == nil
    guard task.known.request.isDetached, session.isNamed || !isGone else { return }
    var writer = JSONWriter()
    var member: String
    switch outcome {
    case .success(let result):
      member = "result"
      describe(result, of: task, in: session, keepsFile: false).0.write(to: &writer)
    case .failure(let failure):
      member = "error"
      RPCError(failure, of: task).write(to: &writer)
    }
    let description = describe(task, in: session, for: nil)
    let beside = HeldBytes.result + HeldBytes.text(description.url)
    let charge = MemoryCharge(daemon.budget, uid: session.uid)
    if !charge.grow(by: beside + HeldBytes.text(writer.buffer.count)) {
      member = "error"
      writer = JSONWriter()
      RPCError.overBudget.write(to: &writer)
      charge.follow(beside + HeldBytes.text(writer.buffer.count))
    }
    daemon.results.keep(
      KeptResults.EndedTask(
        viewer: session.isNamed ? nil : task.peer, description: description,
        member: member, text: writer.bytes, charge: charge,
        expires: EventLoop.shared.now + Limits.keptResultSeconds),
      as: task.name)
  }

  private static func perform(
    _ daemon: Daemon, _ call: Call, _ object: JSONNode?, _ verb: (TaskDriver) -> Void
  ) throws(RPCError) {
    let name = try TaskParameters(object).task
    let task = try find(name, daemon, call.peer)
    call.succeed(Sent.TaskReference(task: name))
    verb(task)
  }

  /// A running task of a session that the peer may use.
  private static func find(_ name: String, _ daemon: Daemon, _ peer: Peer) throws(RPCError) -> TaskDriver {
    guard let task = daemon.tasks[TaskName(uid: peer.process.uid, text: name)],
      peer.mayUse(task)
    else { throw notFound(name) }
    return task
  }

  private static func notFound(_ name: String) -> RPCError { RPCError.taskNotFound("no task \(name)") }

  static func describe(_ task: TaskDriver, in session: SessionDriver, for peer: Peer?) -> Sent.TaskSummary {
    Sent.TaskSummary(
      task: task.order.name, session: session.name,
      url: peer?.identifier == task.peer ? task.url.text : task.url.textWithoutQuery,
      method: task.known.request.firstStep.method,
      state: task.state.rawValue, detached: task.known.request.isDetached,
      bytesReceived: Int(task.bytesReceived))
  }

  /// The answer, and the files that travel with it.
  static func describe(
    _ result: TaskResult, of task: TaskDriver, in session: SessionDriver, keepsFile: Bool = true
  ) -> (Sent.FetchResult, [MemoryFile]) {
    var files: [MemoryFile] = []
    let content: Sent.ResponseBody.Content
    switch result.body {
    case .bytes(let bytes): content = .bytes(bytes)
    case .size(let size): content = .size(Int(size))
    case .partial(let size, let continuation):
      content = .partial(size: Int(size), continuation: continuation.rawValue)
    case .file(let file):
      if keepsFile {
        files.append(file)
        content = .descriptor(size: Int(file.size))
      } else {
        content = .size(Int(file.size))
      }
    }
    let machine = task.known.machine
    let unusable = machine.unusableOffers(of: result.head.status)
    let reply = Sent.FetchResult(
      task: task.order.name, session: session.name, url: task.url.text, status: result.head.status,
      headers: task.known.shown(result.head).headers,
      body: Sent.ResponseBody(content, isTruncated: result.isTruncated, isVerified: result.isVerified),
      redirects: machine.redirects.map {
        Sent.Redirect(status: $0.status, from: $0.from.text, to: $0.to.text)
      }, loginPage: machine.isLoginPage ? true : nil, unusableOffers: unusable.sent,
      unusableOfferCount: unusable.sentCount, metrics: task.metrics?.sent)
    return (reply, files)
  }
}
