package import WatchwordVocabulary

/// The challenges of one session: which connection is asked, which tasks wait, when each challenge ends.
///
/// Tasks that meet the same space wait under one question (challenges.md 12.1). One object, which its session
/// owns, on one thread: of two replies, a reply and a disconnect, or a reply and the deadline, exactly one
/// settles a challenge. Events are method calls with the time as an argument; each returns the effects to
/// carry out, in order.
package final class ChallengeBoard {
  /// What tasks wait under: the space, and the ways that they have chosen; for a URL with userinfo also the
  /// task, which shares nothing.
  struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    let alone: TaskIdentifier?
    let ways: [CallersWay]
    /// A yes is for the process that the delegate was shown.
    let confirming: ConfirmedUse?

    private static let agent = ProtectionSpace.agentUnlock(
      before: Origin(scheme: .https, host: "", port: 0))

    init(
      space: ProtectionSpace, of task: TaskIdentifier, _ sharing: ChallengeQuestion.Sharing,
      confirming: ConfirmedUse? = nil
    ) {
      switch sharing {
      case .alone: (alone, ways) = (task, [])
      case .overWays(let chosen): (alone, ways) = (nil, chosen)
      }
      // The lock is the same before every origin.
      self.space = space.authenticationMethod == .agentUnlock ? Key.agent : space
      self.confirming = confirming
    }
  }

  package internal(set) var roster = DelegateRoster()
  package internal(set) var settings: SessionConfiguration.Challenges
  /// The spaces that a source is asked about before any delegate.
  var sources = SourceBindings()

  var challenges: [Key: PendingChallenge] = [:]
  var keys: [String: Key] = [:]
  /// Readings of sources, by the id of the question for which they began.
  var readings: [String: Key] = [:]
  var waiting: [TaskIdentifier: Key] = [:]
  /// The refused credential of each task whose next step is not known yet.
  var refusals: [TaskIdentifier: Credential.Kind] = [:]
  private var cancels = CancelMemory()
  var deadlines = DeadlineQueue<Key>()

  /// Makes an id for a question: unique for the life of the daemon and not guessable.
  let makeIdentifier: @Sendable () -> String

  package init(
    settings: SessionConfiguration.Challenges = SessionConfiguration.Challenges(),
    makeIdentifier: @escaping @Sendable () -> String
  ) {
    self.settings = settings
    self.makeIdentifier = makeIdentifier
  }

  // MARK: Queries

  /// Questions that wait for a reply now.
  package var pending: [PendingChallenge] {
    challenges.values.filter(\.isAsking).sorted(on: \.raised)
  }

  package var pendingCount: Int { keys.count }
  /// When the oldest question that waits for a reply was asked, in monotonic seconds.
  package var oldestRaised: Double? { keys.values.compactMap { challenges[$0]?.raised }.min() }
  /// Tasks that wait for an answer or try one.
  package var waitingCount: Int { waiting.count }

  package func challenge(_ identifier: String) -> PendingChallenge? {
    keys[identifier].flatMap { challenges[$0] }
  }

  /// Whether the challenge exists as far as this connection is concerned (challenges.md 2.2).
  ///
  /// Every holder of the session is entitled: a private session has one connection, and a named session is
  /// one trust domain. A restricted one is not, even to the challenges of its own tasks, and no process
  /// confirms its own use.
  package func isEntitled(_ peer: PeerIdentifier, to challenge: PendingChallenge) -> Bool {
    if let use = challenge.question.confirmation { return roster.mayConfirm(use, peer) }
    return roster.isEntitled(peer)
      || (challenge.queue.holdsTask(of: peer) && roster.restriction(of: peer) == nil)
  }

  /// When `tick` must be called next; nil when nothing is due.
  package var nextDeadline: Double? {
    deadlines.soonest
  }

  /// The connection that gave the credential that this task is trying; nil when it tries none.
  package func answerer(ofTrialBy task: TaskIdentifier) -> PeerIdentifier? {
    waiting[task].flatMap { challenges[$0] }?.trials.first { $0.triers.contains(task) }?.answerer
  }

  /// The tasks that try a credential now; a task appears once for each trial.
  var triers: [TaskIdentifier] { challenges.values.flatMap { $0.trials.flatMap(\.triers) } }

  /// Whether a delegate can be asked about a space, alone or with the tasks that share its question.
  package typealias CanAsk = (
    ProtectionSpace, ChallengeQuestion.Sharing, _ confirming: ConfirmedUse?, _ now: Double
  ) -> Bool

  /// Says whether a question of this task would wait for an answer: a delegate's, or one that has already
  /// been given. It looks at the board when it is called.
  func canAsk(for waiter: ChallengeWaiter) -> CanAsk {
    { [self] space, sharing, use, now in
      let key = Key(space: space, of: waiter.task, sharing, confirming: use)
      return (sharing == .overWays([]) && sources.readable(space, now: now) != nil)
        || roster.hasCandidate(for: space.subject, of: waiter, confirming: use)
        || challenges[key] != nil
        || (sharing != .alone && cancels.concerns(waiter, in: space, use, now: now))
    }
  }

  // MARK: Tasks

  /// A task was refused and has no other credential to try.
  func ask(
    _ question: ChallengeQuestion, by waiter: ChallengeWaiter, now: Double
  ) -> [Effect] {
    let key = Key(
      space: question.space, of: waiter.task, question.sharing, confirming: question.confirmation)
    var effects: [Effect] = []
    var refused = refusals.removeValue(forKey: waiter.task)
    if let earlier = waiting[waiter.task], earlier != key {
      // The refusal belongs to the space that the credential was sent to.
      effects += leave(waiter.task, refused: refused, now: now)
      refused = nil
    }
    let entry = WaiterQueue.WaitingTask(waiter: waiter, question: question)
    if question.isShared && cancels.concerns(waiter, in: key.space, key.confirming, now: now) {
      return effects + leave(waiter.task, refused: refused, now: now)
        + resume([entry], of: question, by: .reply(.cancelAuthenticationChallenge))
    }
    if challenges[key] == nil, readableSource(for: question, now: now) == nil,
      roster.candidate(
        for: question.space.subject, among: [waiter], without: [], confirming: question.confirmation) == nil
    {
      return effects + resume([entry], of: question, by: .noDelegate)
    }
    var challenge =
      challenges.removeValue(forKey: key) ?? PendingChallenge(question: question, raiser: waiter)
    waiting[waiter.task] = key
    challenge.stepOut(waiter.task, refused: refused)
    for kind in question.refused + (refused.map { [$0] } ?? []) { challenge.noteRefusal(of: kind) }
    challenge.join(entry)
    if !challenge.isAsking && challenge.queue.contains(waiter.task) { challenge.describe(entry) }
    return effects + proceed(&challenge, at: key, now: now)
  }

  /// The server has accepted the credential that this task was given to try: the other tasks use it.
  func accepted(_ task: TaskIdentifier, now: Double) -> [Effect] {
    guard let key = waiting[task],
      let index = challenges[key]?.trials.firstIndex(where: { $0.triers.contains(task) }),
      var challenge = challenges.removeValue(forKey: key)
    else { return [] }
    let trial = challenge.trials.remove(at: index)
    for trier in trial.triers { waiting[trier] = nil }
    let credential = trial.credential
    let verdict: ChallengeVerdict = credential.persistence == .none ? .useCredential(credential) : .useStored
    var effects = resume(trial.queue.entries, verdict)
    if trial.isClosed {
      // Another task was refused with it, or the server was silent, and a question is pending: tasks that did
      // not try it need no answer.
      challenge.withdrawRefusal(of: credential.kind)
      let others = challenge.queue.removeAll { trial.serves($0) && !trial.refusers.contains($0.task) }
      effects += resume(others, verdict)
    }
    return effects + proceed(&challenge, at: key, now: now)
  }

  /// The server has refused the credential that this task was given to try. It counts once the task asks
  /// again, goes on or leaves.
  func refused(_ kind: Credential.Kind, to task: TaskIdentifier) { refusals[task] = kind }

  /// The task does not ask again: its refused trial ends.
  func goesOn(_ task: TaskIdentifier, now: Double) -> [Effect] {
    guard !refusals.isEmpty, let refused = refusals.removeValue(forKey: task) else { return [] }
    return leave(task, refused: refused, now: now)
  }

  /// A task stops waiting and trying: it ended, failed, or delivers the refusal.
  func leave(_ task: TaskIdentifier, now: Double) -> [Effect] {
    leave(task, refused: refusals.removeValue(forKey: task), now: now)
  }

  private func leave(
    _ task: TaskIdentifier, refused: Credential.Kind?, now: Double
  ) -> [Effect] {
    guard let key = waiting.removeValue(forKey: task), var challenge = challenges.removeValue(forKey: key)
    else {
      return []
    }
    challenge.stepOut(task, refused: refused)
    return proceed(&challenge, at: key, now: now)
  }

  // MARK: Replies

  /// Takes a delegate's reply.
  ///
  /// - Throws: ``ReplyFault``; a challenge that was pending stays pending.
  func reply(
    _ identifier: String, by peer: PeerIdentifier, _ disposition: Disposition, _ credential: Credential?,
    lastTask: TaskIdentifier, now: Double
  ) throws(ReplyFault) -> [Effect] {
    guard let key = keys[identifier], let pending = challenges[key], isEntitled(peer, to: pending) else {
      throw .notPending
    }
    var challenge = pending
    let space = challenge.question.space
    if disposition == .useCredential,
      let fault = CredentialCheck.fault(
        ofReply: credential, for: space, offers: challenge.question.offers)
    {
      throw .unusable(fault)
    }
    let isDelegate = roster.isSessionDelegate(peer, for: space.subject)
    let speaksForAll = isDelegate || isOutsider(peer, of: challenge)
    let servesAll =
      speaksForAll || (disposition == .useCredential && credential?.persistence.outlivesAnswer ?? false)
    // Its own tasks have ended, and it was asked for no others.
    guard servesAll || challenge.queue.holdsTask(of: peer) else { throw .notPending }
    challenges[key] = nil
    let concerns: (ChallengeWaiter) -> Bool = { speaksForAll || $0.peer == peer }
    var effects = settle(&challenge, .answered, disposition)
    challenge.answered.insert(peer)
    let meaning = AnswerMeaning(of: .reply(disposition), to: space)
    switch meaning {
    case .trial:
      if let credential, !challenge.refused.contains(credential.kind) {
        sources.receipts.note(credential, in: space)
        challenge.begin(CredentialTrial(credential, by: peer, servesAll: servesAll))
      } else {
        effects += resume(challenge.queue.removeAll(where: concerns), .deliverRefusal)
      }
    case .decision:
      // The session decides; no server has to agree.
      let decision = HandshakeDecision(space: space, credential: credential, by: peer, forAll: isDelegate)
      effects += carryOut(decision, for: challenge.queue.removeAll { servesAll || concerns($0) })
    case .defaultDecision, .noCertificate, .nextOffer, .excludeOffer, .refusal, .cancelled,
      .serverTrustRejected:
      // A task that shares nothing has a cancel of its own.
      if disposition == .cancelAuthenticationChallenge, key.alone == nil {
        cancels.remember(
          key.space, key.confirming, of: speaksForAll ? nil : peer, lastTask: lastTask, now: now)
      }
      effects += carryOut(
        meaning, for: challenge.queue.removeAll(where: concerns), of: challenge.question, answeredBy: peer,
        forAll: isDelegate)
    }
    // The tasks that this answer does not serve are asked through their next candidate.
    return effects + proceed(&challenge, at: key, deadline: challenge.deadline, now: now)
  }

  /// Whether a holder has no task here and was not asked: `watchword answer`, which speaks for every waiting
  /// task (challenges.md 12.3).
  private func isOutsider(_ peer: PeerIdentifier, of challenge: PendingChallenge) -> Bool {
    !challenge.queue.holdsTask(of: peer) && !challenge.asked.contains(peer)
  }

  // MARK: Time

  /// Carries out what is due for so many challenges; the others stay due.
  func tick(now: Double, atMost limit: Int = .max) -> [Effect] {
    var effects: [Effect] = []
    for key in deadlines.due(at: now, atMost: limit) {
      guard var challenge = challenges.removeValue(forKey: key) else { continue }
      if challenge.isAsking, challenge.deadline <= now {
        effects += settle(&challenge, .deadline, nil)
        effects += resume(
          challenge.queue.removeAll { _ in true }, of: challenge.question,
          by: .unanswered(settings.unanswered))
      }
      for index in challenge.trials.indices
      where challenge.trials[index].nextDeadline ?? .infinity <= now {
        if challenge.trials[index].noteSilence() {
          effects += tryNext(&challenge.trials[index], now: now)
        } else {
          challenge.close(index)
        }
      }
      effects += proceed(&challenge, at: key, now: now)
    }
    return effects
  }

  // MARK: Steps

  /// Makes sure that every task in the entry waits for something that will happen, and stores the entry.
  ///
  /// - Parameter deadline: of a question that has to be raised; by default its time starts now.
  func proceed(
    _ challenge: inout PendingChallenge, at key: Key, deadline: Double? = nil, now: Double
  ) -> [Effect] {
    var effects: [Effect] = []
    for index in challenge.trials.indices where challenge.trials[index].triers.isEmpty {
      effects += tryNext(&challenge.trials[index], now: now)
    }
    challenge.trials.removeAll(where: \.isOver)
    if challenge.isAsking && challenge.queue.isEmpty {
      effects += settle(&challenge, .withdrawn, nil)
    } else if challenge.isAsking {
      challenge.describeWaitingTask()
      if !isAnswerExpected(challenge) { effects += askNext(&challenge, now: now) }
    } else if !challenge.queue.isEmpty {
      challenge.describeWaitingTask()
      raise(&challenge, at: key, deadline: deadline, now: now)
      effects += askNext(&challenge, now: now)
    }
    deadlines.set(key, to: challenge.nextDeadline)
    challenges[key] = challenge.isOver ? nil : challenge
    return effects
  }

  /// Whether the connection that was asked last can still answer (challenges.md 3.8).
  private func isAnswerExpected(_ challenge: PendingChallenge) -> Bool {
    guard challenge.reading == nil || challenge.prompt != nil else { return true }
    guard let peer = challenge.asked.last else { return false }
    let subject = challenge.question.space.subject
    return roster.isSessionDelegate(peer, for: subject)
      || (challenge.queue.holdsTask(of: peer) && roster.takes(subject, forOwnTaskOf: peer))
  }

  /// Asks the space's source, then the next candidate under the same id, or settles with default handling.
  private func askNext(_ challenge: inout PendingChallenge, now: Double) -> [Effect] {
    if challenge.source == .unread, let name = readableSource(for: challenge.question, now: now) {
      challenge.noteReading(challenge.identifier)
      readings[challenge.identifier] = keys[challenge.identifier]
      return [.readSource(name, challenge: challenge.identifier)]
    }
    let queue = [challenge.raiser] + challenge.waiters
    let excluded = challenge.answered.union(challenge.asked)
    if challenge.sourceFailure?.fault != .stopped,
      let peer = roster.candidate(
        for: challenge.question.space.subject, among: queue, without: excluded,
        confirming: challenge.question.confirmation)
    {
      challenge.noteAsked(peer)
      return [.notify(peer, challenge: challenge.identifier)]
    }
    // No connection is left that could show a code.
    let unshown =
      challenge.reading == nil ? nil : challenge.prompt.map { SourceFailure($0.name, .promptNeeded) }
    let effects = settle(&challenge, .default, nil)
    let entries = challenge.queue.removeAll { _ in true }
    // The server's refusal would hide why there is no credential.
    if let failure = unshown ?? challenge.sourceFailure {
      return effects + resume(entries, .sourceFailed(failure))
    }
    return effects + resume(entries, of: challenge.question, by: .noDelegate)
  }

  /// Tells the tasks what an answer without a credential means.
  private func resume(
    _ entries: [WaiterQueue.WaitingTask], of question: ChallengeQuestion, by answer: AnswerMeaning.Answer
  ) -> [Effect] {
    carryOut(AnswerMeaning(of: answer, to: question.space), for: entries, of: question)
  }

  /// Gives the credential on trial to the next task in its queue.
  private func tryNext(_ trial: inout CredentialTrial, now: Double) -> [Effect] {
    guard !trial.isClosed, let waiter = trial.takeNextTrier(now: now) else { return [] }
    return [.resume(waiter.task, .tryCredential(trial.credential))]
  }

  func resume(_ entries: [WaiterQueue.WaitingTask], _ verdict: ChallengeVerdict) -> [Effect] {
    entries.map { entry in
      waiting[entry.waiter.task] = nil
      return .resume(entry.waiter.task, verdict)
    }
  }

  /// Ends the question: its id is no longer valid. Only connections that were asked are told.
  func settle(
    _ challenge: inout PendingChallenge, _ outcome: ChallengeOutcome, _ disposition: Disposition?
  ) -> [Effect] {
    let asked = challenge.asked
    let identifier = challenge.identifier
    let stop = challenge.reading.map { stopReading($0) } ?? []
    keys[identifier] = nil
    challenge.endAsking()
    guard !asked.isEmpty else { return stop }
    return stop + [
      .settled(challenge: identifier, outcome, disposition, asked: asked.filter(roster.isEntitled))
    ]
  }
}
