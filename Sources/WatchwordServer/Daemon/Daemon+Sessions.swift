internal import Logging
internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// What the sessions need of the daemon, and tell its peers.
extension Daemon: SessionEnvironment {
  var lastTask: TaskIdentifier { TaskIdentifier(lastTaskNumber) }

  func userRoots(of uid: UInt32) -> UserRoots { roots.roots(of: uid) }

  func changes(of uid: UInt32) -> AccountChanges { registry.changes(of: uid) }

  func process(of peer: PeerIdentifier) -> ProcessIdentifier? { peers[peer]?.caller }

  func notify(_ peer: PeerIdentifier, of challenge: PendingChallenge, in session: SessionDriver) {
    guard let receiver = peers[peer] else { return }
    let subject = challenge.question.space.subject
    let description = describe(challenge, in: session, for: receiver)
    // Of a session-wide method that the receiver takes as the session's delegate (challenges.md 1.4).
    let isForSession =
      subject.method.isSessionWide && session.state.board.roster.isSessionDelegate(peer, for: subject)
    receiver.notify(
      isForSession ? .sessionDidReceiveChallenge(description) : .taskDidReceiveChallenge(description))
    noteChange()
  }

  func notify(_ peers: [PeerIdentifier], _ notification: Notification) {
    for peer in peers { self.peers[peer]?.notify(notification) }
    noteChange()
  }

  func record(_ entry: HistoryEntry, of uid: UInt32) { histories.record(entry, of: uid) }

  func warn(ofPinFrom origin: Origin, in session: SessionDriver) {
    logger.warning(
      "no pinned key in the chain", metadata: ["session": "\(session.name)", "origin": "\(origin)"])
  }

  func warn(ofExchangesOf task: TaskDriver, in session: SessionDriver) {
    logger.warning(
      "exchanges without progress",
      metadata: [
        "session": "\(session.name)", "task": "\(task.order.name)", "origin": "\(task.url.origin)",
      ])
  }

  func warn(of weaker: WeakerOffer, met task: TaskDriver, in session: SessionDriver) {
    logger.warning(
      "weaker offer than before",
      metadata: [
        "session": "\(session.name)", "task": "\(task.order.name)", "origin": "\(weaker.origin)",
        "previous": "\(weaker.previous)", "offered": "\(weaker.offered)",
      ])
  }

  func warn(of fault: SourceFault, ofSource name: String, for origin: Origin, in session: SessionDriver) {
    logger.warning(
      "source of credentials not usable",
      metadata: [
        "source": "\(name)", "reason": "\(fault.text)", "origin": "\(origin)", "session": "\(session.name)",
      ])
  }

  func sessionIsEnding(_ session: SessionDriver, holders: [PeerIdentifier]) {
    registry.remove(session)
    for peer in holders { peers[peer]?.leave(session) }
  }

  func sessionEnded(_ session: SessionDriver, _ reason: SessionEnd, holders: [PeerIdentifier]) {
    registry.ended(session)
    for peer in holders.compactMap({ peers[$0] }) {
      peer.notify(.sessionDidInvalidate(.init(session: session.name, reason: reason.rawValue)))
    }
    noteChange()
    restIfUnused()
  }

  /// A challenge as `peer` may see it: the URL's query only for the connection of the task.
  func describe(_ challenge: PendingChallenge, in session: SessionDriver, for peer: Peer) -> Sent.Challenge {
    let raiser = session.tasks[challenge.raiser.task]
    var executables: [PeerIdentifier: String] = [:]
    let waiters = challenge.waiters.prefix(Sent.Challenge.maximumWaiters).map { waiter in
      let process = waiter.peer.flatMap { peers[$0]?.process }
      if let peer = waiter.peer, executables[peer] == nil { executables[peer] = process?.executable }
      return Sent.Waiter(
        task: session.tasks[waiter.task]?.order.name ?? "", pid: process?.pid.map { Int($0) },
        uid: Int(session.uid),
        executable: waiter.peer.flatMap { executables[$0] })
    }
    let url = challenge.question.url
    let now = EventLoop.shared.now
    return Sent.Challenge(
      challenge: challenge.identifier, session: session.name, task: raiser?.order.name ?? "",
      url: raiser?.peer == peer.identifier ? url.text : url.textWithoutQuery, question: challenge.question,
      sourceFailure: challenge.sourceFailure, prompt: challenge.prompt,
      identities: session.ask { $0.identitiesThatFit(challenge.question) },
      waiters: Array(waiters),
      waiterCount: challenge.waiterCount,
      asked: challenge.asked.compactMap { peers[$0]?.process.pid.map { Int($0) } },
      waitedSeconds: max(0, now - challenge.raised), deadline: Clock.wallSeconds() + challenge.deadline - now)
  }
}

extension Daemon: SourceEnvironment {
  func sourcesChanged() { noteChange() }
}
