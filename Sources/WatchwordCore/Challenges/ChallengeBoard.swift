/// The questions of one session: who is asked, who waits, when it is over.
///
/// Tasks that meet the same space wait under one question (challenges.md 12.1). One thread's value: two replies,
/// a reply and a disconnect, a reply and the deadline settle a challenge exactly once. Events come in as
/// method calls with the time as an argument; what has to happen comes back as effects, in order.
package struct ChallengeBoard: Sendable {
  /// How long the others wait for the server's word on a new credential before the next one tries it too.
  package static let trialSeconds = 2.0

  package enum Effect: Sendable, Equatable {
    /// Send the challenge's notification to this connection.
    case notify(PeerIdentifier, challenge: String)
    /// Tell those who were asked that it is over.
    case settled(challenge: String, ChallengeOutcome, Disposition?, asked: [PeerIdentifier])
    case resume(TaskIdentifier, ChallengeVerdict)
    /// A question of a handshake is decided. Comes before those whom it serves are resumed.
    case decided(HandshakeDecision)
  }

  /// What a reply that changes nothing is told.
  package enum ReplyFault: Error, Sendable, Equatable {
    case notPending
    case unusable(CredentialFault)
    /// The administrator's rule of this name forbids it.
    case notAllowed(rule: String)
  }

  /// What tasks wait under: the space, and for a URL with userinfo the one task, which shares nothing.
  private struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    let alone: TaskIdentifier?
  }

  package private(set) var roster = DelegateRoster()
  package let settings: SessionConfiguration.Challenges

  private var entries: [Key: PendingChallenge] = [:]
  private var keys: [String: Key] = [:]
  private var waiting: [TaskIdentifier: Key] = [:]
  /// What servers have refused to tasks that tried it and have not said yet what they do next.
  private var refusals: [TaskIdentifier: Credential.Kind] = [:]
  private var cancels = CancelMemory()
  private var deadlines = DeadlineQueue<Key>()

  /// Makes an id for a question: unique for the life of the daemon and not guessable.
  private let makeIdentifier: @Sendable () -> String

  package init(
    settings: SessionConfiguration.Challenges = SessionConfiguration.Challenges(),
    makeIdentifier: @escaping @Sendable () -> String
  ) {
    self.settings = settings
    self.makeIdentifier = makeIdentifier
  }

  // MARK: What there is

  /// Questions that wait for a reply now.
  package var pending: [PendingChallenge] {
    entries.values.filter(\.isAsking).sorted { $0.raised < $1.raised }
  }

  package var pendingCount: Int { keys.count }
  /// Tasks that wait for an answer or try one.
  package var waitingCount: Int { waiting.count }

  package func challenge(_ identifier: String) -> PendingChallenge? {
    keys[identifier].flatMap { entries[$0] }
  }

  /// Whether the challenge exists as far as this connection is concerned (challenges.md 2.2).
  ///
  /// Holders of the session are all entitled: of a private session that is its one connection, and a named
  /// session is one trust domain.
  package func isEntitled(_ peer: PeerIdentifier, to challenge: PendingChallenge) -> Bool {
    roster.isHolder(peer) || challenge.line.holdsTask(of: peer)
  }

  /// When `tick` wants to be called next; nil when nothing is running.
  package var nextDeadline: Double? {
    deadlines.soonest
  }

  /// Who gave the credential that this task is trying; nil when it tries none.
  package func answerer(ofTrialBy task: TaskIdentifier) -> PeerIdentifier? {
    waiting[task].flatMap { entries[$0] }?.trials.first { $0.triers.contains(task) }?.answerer
  }

  /// The tasks that try a credential now, each as often as it does.
  var triers: [TaskIdentifier] { entries.values.flatMap { $0.trials.flatMap(\.triers) } }

  /// Whether a question of this task would wait for an answer: for that of a delegate, or for one that has been given.
  ///
  /// As it is now, without a copy of the whole board: every event of a task takes it along.
  package func canAsk(for waiter: ChallengeWaiter, now: Double) -> AuthenticationStateMachine.CanAsk {
    { [roster, entries, cancels] space, isShared in
      roster.hasCandidate(for: space.subject, of: waiter)
        || entries[Key(space: space, alone: isShared ? nil : waiter.task)] != nil
        || (isShared && cancels.concerns(waiter, in: space, now: now))
    }
  }

  // MARK: Tasks

  /// A task was refused and cannot help itself.
  package mutating func ask(
    _ question: ChallengeQuestion, by waiter: ChallengeWaiter, now: Double
  ) -> [Effect] {
    let key = Key(space: question.space, alone: question.isShared ? nil : waiter.task)
    var effects: [Effect] = []
    var refused = refusals.removeValue(forKey: waiter.task)
    if let earlier = waiting[waiter.task], earlier != key {
      // The refusal is of the space that it was sent to.
      effects += leave(waiter.task, refused: refused, now: now)
      refused = nil
    }
    let place = WaiterLine.Place(waiter: waiter, question: question)
    if question.isShared && cancels.concerns(waiter, in: key.space, now: now) {
      return effects + leave(waiter.task, refused: refused, now: now)
        + resume([place], of: question, by: .reply(.cancelAuthenticationChallenge))
    }
    if entries[key] == nil,
      roster.candidate(for: question.space.subject, among: [waiter], without: []) == nil
    {
      return effects + resume([place], of: question, by: .noDelegate)
    }
    var entry = entries.removeValue(forKey: key) ?? PendingChallenge(question: question, raiser: waiter)
    waiting[waiter.task] = key
    entry.stepOut(waiter.task, refused: refused)
    for kind in question.refused + (refused.map { [$0] } ?? []) { entry.noteRefusal(of: kind) }
    entry.join(place)
    if !entry.isAsking && entry.line.contains(waiter.task) { entry.describe(place) }
    return effects + proceed(&entry, at: key, now: now)
  }

  /// The server has accepted what this task was given to try: the others go on with it.
  package mutating func accepted(_ task: TaskIdentifier, now: Double) -> [Effect] {
    guard let key = waiting[task],
      let index = entries[key]?.trials.firstIndex(where: { $0.triers.contains(task) }),
      var entry = entries.removeValue(forKey: key)
    else { return [] }
    let trial = entry.trials.remove(at: index)
    for trier in trial.triers { waiting[trier] = nil }
    let credential = trial.credential
    let verdict: ChallengeVerdict = credential.persistence == .none ? .useCredential(credential) : .useStored
    var effects = resume(trial.line.places, verdict)
    if trial.isRefused {
      // Another task was refused with it, and the question is out again: those who did not try it need no answer.
      entry.withdrawRefusal(of: credential.kind)
      let others = entry.line.take { trial.serves($0) && !trial.refusers.contains($0.task) }
      effects += resume(others, verdict)
    }
    return effects + proceed(&entry, at: key, now: now)
  }

  /// The server has refused what this task was given to try. It counts when the task has said what it does next: ask
  /// again, go on, or leave.
  package mutating func refused(_ kind: Credential.Kind, to task: TaskIdentifier) { refusals[task] = kind }

  /// The task does not ask again: a refused trial of its is over.
  package mutating func goesOn(_ task: TaskIdentifier, now: Double) -> [Effect] {
    guard !refusals.isEmpty, let refused = refusals.removeValue(forKey: task) else { return [] }
    return leave(task, refused: refused, now: now)
  }

  /// A task waits no more and tries no more: it ended, failed, or delivers the refusal.
  package mutating func leave(_ task: TaskIdentifier, now: Double) -> [Effect] {
    leave(task, refused: refusals.removeValue(forKey: task), now: now)
  }

  private mutating func leave(
    _ task: TaskIdentifier, refused: Credential.Kind?, now: Double
  ) -> [Effect] {
    guard let key = waiting.removeValue(forKey: task), var entry = entries.removeValue(forKey: key) else {
      return []
    }
    entry.stepOut(task, refused: refused)
    return proceed(&entry, at: key, now: now)
  }

  // MARK: Connections

  /// Adds a holder of the session, or changes what it takes; nil leaves that as it is.
  package mutating func register(_ peer: PeerIdentifier, interest: DelegateInterest?, now: Double) -> [Effect]
  {
    roster.register(peer, interest: interest)
    return interest == nil ? [] : askOthers(insteadOf: peer, now: now)
  }

  /// The connection is gone, or has left the session, and these tasks end with it.
  package mutating func remove(
    _ peer: PeerIdentifier, ending tasks: [TaskIdentifier] = [], now: Double
  ) -> [Effect] {
    roster.remove(peer)
    return tasks.flatMap { leave($0, now: now) } + askOthers(insteadOf: peer, now: now)
  }

  /// Somebody answers.
  ///
  /// - Throws: ``ReplyFault``; the challenge is still pending then, if it was.
  package mutating func reply(
    _ identifier: String, by peer: PeerIdentifier, _ disposition: Disposition, _ credential: Credential?,
    lastTask: TaskIdentifier, now: Double
  ) throws(ReplyFault) -> [Effect] {
    guard let key = keys[identifier], let pending = entries[key], isEntitled(peer, to: pending) else {
      throw .notPending
    }
    var entry = pending
    let space = entry.question.space
    if disposition == .useCredential,
      let fault = CredentialCheck.fault(ofReply: credential, for: space.authenticationMethod)
    {
      throw .unusable(fault)
    }
    let isDelegate = roster.isSessionDelegate(peer, for: space.subject)
    let speaksForAll = isDelegate || isOutsider(peer, of: entry)
    let servesAll =
      speaksForAll || (disposition == .useCredential && credential?.persistence.outlivesAnswer ?? false)
    // Its own tasks are gone, and it was asked for no others.
    guard servesAll || entry.line.holdsTask(of: peer) else { throw .notPending }
    entries[key] = nil
    let concerns: (ChallengeWaiter) -> Bool = { speaksForAll || $0.peer == peer }
    var effects = settle(&entry, .answered, disposition)
    entry.answered.insert(peer)
    let meaning = AnswerMeaning(of: .reply(disposition), to: space)
    switch meaning {
    case .trial:
      if let credential, !entry.refused.contains(credential.kind) {
        var trial = CredentialTrial(credential, by: peer, servesAll: servesAll)
        for place in entry.line.take(where: trial.serves) { trial.line.append(place) }
        entry.trials.append(trial)
      } else {
        effects += resume(entry.line.take(where: concerns), .deliverRefusal)
      }
    case .decision:
      // The session's word decides, and no server has to agree.
      let decision = HandshakeDecision(space: space, credential: credential, by: peer, forAll: isDelegate)
      effects += carryOut(decision, for: entry.line.take { servesAll || concerns($0) })
    case .defaultDecision, .noCertificate, .nextOffer, .refusal, .cancelled, .serverTrustRejected:
      // A task that shares nothing takes its cancel with it.
      if disposition == .cancelAuthenticationChallenge, key.alone == nil {
        cancels.remember(key.space, of: speaksForAll ? nil : peer, lastTask: lastTask, now: now)
      }
      effects += carryOut(
        meaning, for: entry.line.take(where: concerns), of: entry.question, answeredBy: peer,
        forAll: isDelegate)
    }
    // Those whom this answer does not concern are asked through their next candidate.
    return effects + proceed(&entry, at: key, deadline: entry.deadline, now: now)
  }

  /// Whether a holder has no task here and was not asked: a person with `watchword answer`, who speaks for every task
  /// that waits (challenges.md 12.3).
  private func isOutsider(_ peer: PeerIdentifier, of entry: PendingChallenge) -> Bool {
    !entry.line.holdsTask(of: peer) && !entry.asked.contains(peer)
  }

  // MARK: Time

  /// Carries out what is due.
  package mutating func tick(now: Double) -> [Effect] {
    var effects: [Effect] = []
    for key in deadlines.due(at: now) {
      guard var entry = entries.removeValue(forKey: key) else { continue }
      if entry.isAsking, entry.deadline <= now {
        effects += settle(&entry, .deadline, nil)
        effects += resume(
          entry.line.take { _ in true }, of: entry.question, by: .unanswered(settings.unanswered))
      }
      for index in entry.trials.indices where entry.trials[index].nextDeadline.map({ $0 <= now }) ?? false {
        effects += tryNext(&entry.trials[index], now: now)
      }
      effects += proceed(&entry, at: key, now: now)
    }
    return effects
  }

  // MARK: Steps

  /// Sees to it that whoever is in the entry waits for something that will come, and stores it.
  ///
  /// - Parameter deadline: of the question that is raised if one has to be; by default it starts now.
  private mutating func proceed(
    _ entry: inout PendingChallenge, at key: Key, deadline: Double? = nil, now: Double
  ) -> [Effect] {
    var effects: [Effect] = []
    for index in entry.trials.indices where entry.trials[index].triers.isEmpty {
      effects += tryNext(&entry.trials[index], now: now)
    }
    entry.trials.removeAll(where: \.isOver)
    if entry.isAsking && entry.line.isEmpty {
      effects += settle(&entry, .withdrawn, nil)
    } else if entry.isAsking {
      entry.describeSomebodyPresent()
      if !isAnswerExpected(entry) { effects += askNext(&entry) }
    } else if !entry.line.isEmpty {
      entry.describeSomebodyPresent()
      let identifier = makeIdentifier()
      entry.beginAsking(identifier, deadline: deadline ?? now + settings.deadlineSeconds, now: now)
      keys[identifier] = key
      effects += askNext(&entry)
    }
    deadlines.set(key, to: entry.nextDeadline)
    entries[key] = entry.isOver ? nil : entry
    return effects
  }

  /// Whether the one who was asked last can still be expected to answer (challenges.md 3.8).
  private func isAnswerExpected(_ entry: PendingChallenge) -> Bool {
    guard let peer = entry.asked.last else { return false }
    let subject = entry.question.space.subject
    return roster.isSessionDelegate(peer, for: subject)
      || (entry.line.holdsTask(of: peer) && roster.takes(subject, forOwnTaskOf: peer))
  }

  /// Asks the next candidate under the same id, or settles with default handling.
  private mutating func askNext(_ entry: inout PendingChallenge) -> [Effect] {
    let line = [entry.raiser] + entry.waiters
    let excluded = entry.answered.union(entry.asked)
    if let peer = roster.candidate(for: entry.question.space.subject, among: line, without: excluded) {
      entry.noteAsked(peer)
      return [.notify(peer, challenge: entry.identifier)]
    }
    let effects = settle(&entry, .default, nil)
    return effects + resume(entry.line.take { _ in true }, of: entry.question, by: .noDelegate)
  }

  /// The next candidates for everything that this connection was asked and can no longer answer.
  private mutating func askOthers(insteadOf peer: PeerIdentifier, now: Double) -> [Effect] {
    let concerned = entries.filter { $0.value.isAsking && $0.value.asked.last == peer }
      .sorted { $0.value.raised < $1.value.raised }.map(\.key)
    var effects: [Effect] = []
    for key in concerned {
      guard var entry = entries.removeValue(forKey: key) else { continue }
      effects += proceed(&entry, at: key, now: now)
    }
    return effects
  }

  /// Tells the tasks what an answer without a credential means to them.
  private mutating func resume(
    _ places: [WaiterLine.Place], of question: ChallengeQuestion, by answer: AnswerMeaning.Answer
  ) -> [Effect] {
    carryOut(AnswerMeaning(of: answer, to: question.space), for: places, of: question)
  }

  /// Gives the credential on trial to the next one in line.
  private func tryNext(_ trial: inout CredentialTrial, now: Double) -> [Effect] {
    guard !trial.isRefused, let waiter = trial.takeNextTrier(now: now) else { return [] }
    return [.resume(waiter.task, .tryCredential(trial.credential))]
  }

  mutating func resume(_ places: [WaiterLine.Place], _ verdict: ChallengeVerdict) -> [Effect] {
    places.map { place in
      waiting[place.waiter.task] = nil
      return .resume(place.waiter.task, verdict)
    }
  }

  /// Ends the question: its id means nothing any more. Nobody is told who was not asked.
  private mutating func settle(
    _ entry: inout PendingChallenge, _ outcome: ChallengeOutcome, _ disposition: Disposition?
  ) -> [Effect] {
    let asked = entry.asked
    let identifier = entry.identifier
    keys[identifier] = nil
    entry.endAsking()
    guard !asked.isEmpty else { return [] }
    return [.settled(challenge: identifier, outcome, disposition, asked: asked.filter(roster.isHolder))]
  }
}
