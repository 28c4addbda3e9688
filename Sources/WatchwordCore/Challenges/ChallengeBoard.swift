/// The questions of one session: who is asked, who waits, when it is over.
///
/// Tasks that meet the same space wait under one question (challenges §8). One thread's value: two replies,
/// a reply and a disconnect, a reply and the deadline settle a challenge exactly once. Events come in as
/// method calls with the time as an argument; what has to happen comes back as effects, in order.
package struct ChallengeBoard: Sendable {
  /// How long the others wait for the server's word on a new credential before the next one tries it too.
  package static let trialSeconds = 2.0
  /// How long a cancel speaks for those who were already on their way, so that four workers do not ask four times.
  package static let cancelMemorySeconds = 10.0

  package struct Settings: Sendable, Equatable {
    package var deadlineSeconds = 300.0
    package var unanswered = UnansweredMeaning.cancel

    package init() {}
  }

  package enum Effect: Sendable, Equatable {
    /// Send the challenge's notification to this connection.
    case notify(PeerIdentifier, challenge: String)
    /// Tell those who were asked that it is over.
    case settled(challenge: String, ChallengeOutcome, Disposition?, asked: [PeerIdentifier])
    case resume(TaskIdentifier, ChallengeVerdict)
  }

  /// What a reply that changes nothing is told.
  package enum ReplyFault: Error, Sendable, Equatable {
    case notPending
    case unusable(CredentialFault)
  }

  /// What tasks wait under: the space, and for a URL with userinfo the one task, which shares nothing.
  private struct Key: Hashable, Sendable {
    let space: ProtectionSpace
    let alone: TaskIdentifier?
  }

  private struct RememberedCancel: Sendable {
    let until: Double
    /// Tasks made later than this one are asked anew.
    let lastTask: TaskIdentifier
    /// Nil when the answerer spoke for everybody.
    let peer: PeerIdentifier?
  }

  package private(set) var roster = DelegateRoster()
  package let settings: Settings

  private var entries: [Key: PendingChallenge] = [:]
  private var keys: [String: Key] = [:]
  private var waiting: [TaskIdentifier: Key] = [:]
  private var cancels: [Key: RememberedCancel] = [:]

  /// Makes an id for a question: unique for the life of the daemon and not guessable.
  private let makeIdentifier: @Sendable () -> String

  package init(settings: Settings = Settings(), makeIdentifier: @escaping @Sendable () -> String) {
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

  /// Whether the challenge exists as far as this connection is concerned (challenges §2).
  ///
  /// Holders of the session are all entitled: of a private session that is its one connection, and a named
  /// session is one trust domain.
  package func isEntitled(_ peer: PeerIdentifier, to challenge: PendingChallenge) -> Bool {
    roster.isHolder(peer) || challenge.waiters.contains { $0.peer == peer }
  }

  /// When `tick` wants to be called next; nil when nothing is running.
  package var nextDeadline: Double? {
    entries.values.compactMap(\.nextDeadline).min()
  }

  // MARK: Tasks

  /// A task was refused and cannot help itself.
  ///
  /// - Parameters:
  ///   - isShared: false for a task whose URL carries a user.
  ///   - refused: the credential on trial that this task was just refused with, if there was one.
  package mutating func ask(
    _ question: ChallengeQuestion, by waiter: ChallengeWaiter, isShared: Bool = true,
    refused: Credential.Kind? = nil, now: Double
  ) -> [Effect] {
    let key = Key(space: question.space, alone: isShared ? nil : waiter.task)
    let earlier =
      waiting[waiter.task].map { $0 == key ? [] : leave(waiter.task, refused: refused, now: now) } ?? []
    if isCancelRemembered(for: waiter, key: key, now: now) {
      return earlier + leave(waiter.task, now: now) + [.resume(waiter.task, .cancel)]
    }
    guard var entry = entries.removeValue(forKey: key) else {
      let takes = candidate(for: question.space.authenticationMethod, among: [waiter], without: [])
      guard takes != nil else {
        return earlier + [.resume(waiter.task, .performDefaultHandling(wasAsked: false))]
      }
      var entry = PendingChallenge(question: question, raiser: waiter)
      if let refused { entry.noteRefusal(of: refused) }
      waiting[waiter.task] = key
      return earlier + raise(&entry, at: key, now: now)
    }
    let wasTrier = entry.trial?.triers.contains(waiter) ?? false
    if waiting.updateValue(key, forKey: waiter.task) != nil { entry.leave(waiter.task) }
    guard wasTrier, let refused else {
      entry.waiters.append(waiter)
      return earlier + proceed(&entry, at: key, now: now)
    }
    // The server's word on the credential: everybody waits on, under a new question.
    entry.noteRefusal(of: refused)
    entry.question = question
    entry.raiser = waiter
    entry.waiters.insert(waiter, at: 0)
    return earlier + raise(&entry, at: key, now: now)
  }

  /// The server has accepted what this task was given to try: the others go on with it.
  package mutating func accepted(_ task: TaskIdentifier, now: Double) -> [Effect] {
    guard let key = waiting[task], let trial = entries[key]?.trial,
      trial.triers.contains(where: { $0.task == task }), var entry = entries.removeValue(forKey: key)
    else { return [] }
    for trier in trial.triers { waiting[trier.task] = nil }
    let verdict: ChallengeVerdict =
      trial.credential.persistence == .none ? .useCredential(trial.credential) : .useStored
    let effects = resume(&entry, verdict, where: trial.serves)
    entry.endTrial()
    return effects + raise(&entry, at: key, now: now)
  }

  /// A task waits no more and tries no more: it ended, failed, or delivers the refusal.
  ///
  /// - Parameter refused: the credential on trial, when the server refused it and the task does not ask again.
  package mutating func leave(
    _ task: TaskIdentifier, refused: Credential.Kind? = nil, now: Double
  ) -> [Effect] {
    guard let key = waiting.removeValue(forKey: task), var entry = entries.removeValue(forKey: key) else {
      return []
    }
    let wasTrier = entry.trial?.triers.contains { $0.task == task } ?? false
    entry.leave(task)
    if wasTrier, let refused {
      entry.noteRefusal(of: refused)
      return raise(&entry, at: key, now: now)
    }
    if entry.waiters.isEmpty && entry.isAsking { return settle(&entry, .withdrawn, nil) }
    return proceed(&entry, at: key, now: now)
  }

  // MARK: Connections

  /// Adds a holder of the session, or changes what it takes; nil leaves that as it is.
  package mutating func register(_ peer: PeerIdentifier, interest: DelegateInterest?, now: Double) -> [Effect]
  {
    roster.register(peer, interest: interest)
    return interest == nil ? [] : askOthers(insteadOf: peer, now: now)
  }

  /// The connection is gone, or has left the session.
  package mutating func remove(_ peer: PeerIdentifier, now: Double) -> [Effect] {
    roster.remove(peer)
    return askOthers(insteadOf: peer, now: now)
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
    let method = entry.question.space.authenticationMethod
    if disposition == .useCredential, let credential,
      let fault = CredentialCheck.fault(of: credential, for: method)
    {
      throw .unusable(fault)
    }
    let speaksForAll = roster.isSessionDelegate(peer, for: method)
    let concerns: (ChallengeWaiter) -> Bool = { speaksForAll || $0.peer == peer }
    var effects = settle(&entry, .answered, disposition)
    entry.answered.insert(peer)
    switch disposition {
    case .useCredential:
      if let credential, !entry.refused.contains(credential.kind) {
        let servesAll = speaksForAll || credential.persistence != .none
        entry.beginTrial(credential, by: peer, servesAll: servesAll)
      } else {
        effects += resume(&entry, .deliverRefusal, where: concerns)
      }
    case .performDefaultHandling:
      effects += resume(&entry, .performDefaultHandling(wasAsked: true), where: concerns)
    case .rejectProtectionSpace:
      effects += resume(&entry, .reject, where: concerns)
    case .cancelAuthenticationChallenge:
      cancels[key] = RememberedCancel(
        until: now + ChallengeBoard.cancelMemorySeconds, lastTask: lastTask, peer: speaksForAll ? nil : peer)
      effects += resume(&entry, .cancel, where: concerns)
    }
    // Those whom this answer does not concern are asked through their next candidate.
    return effects + proceed(&entry, at: key, deadline: entry.deadline, now: now)
  }

  // MARK: Time

  /// Carries out what is due.
  package mutating func tick(now: Double) -> [Effect] {
    cancels = cancels.filter { $0.value.until > now }
    var effects: [Effect] = []
    for (key, entry) in entries where entry.nextDeadline.map({ $0 <= now }) ?? false {
      var entry = entry
      if entry.isAsking {
        effects += settle(&entry, .deadline, nil)
        effects += resume(&entry, settings.unanswered.verdict) { _ in true }
      } else {
        effects += tryNext(&entry, now: now)
      }
      put(entry, at: key)
    }
    return effects
  }

  // MARK: Steps

  /// Goes on with what is there: a credential on trial that nobody tries, or waiters whom nobody was asked for.
  private mutating func proceed(
    _ entry: inout PendingChallenge, at key: Key, deadline: Double? = nil, now: Double
  ) -> [Effect] {
    var effects: [Effect] = []
    if entry.trial?.triers.isEmpty == true { effects += tryNext(&entry, now: now) }
    guard !entry.isTrying && !entry.isAsking else {
      put(entry, at: key)
      return effects
    }
    return effects + raise(&entry, at: key, deadline: deadline, now: now)
  }

  /// Puts the question to the first candidate, or gives the default answer when there is none.
  private mutating func raise(
    _ entry: inout PendingChallenge, at key: Key, deadline: Double? = nil, now: Double
  ) -> [Effect] {
    guard let first = entry.waiters.first else {
      put(entry, at: key)
      return []
    }
    if !entry.waiters.contains(entry.raiser) { entry.raiser = first }
    let identifier = makeIdentifier()
    entry.beginAsking(identifier, deadline: deadline ?? now + settings.deadlineSeconds, now: now)
    keys[identifier] = key
    return askNext(&entry, at: key)
  }

  /// Asks the next candidate under the same id, or settles with default handling.
  private mutating func askNext(_ entry: inout PendingChallenge, at key: Key) -> [Effect] {
    let line = [entry.raiser] + entry.waiters
    let excluded = entry.answered.union(entry.asked)
    if let peer = candidate(for: entry.question.space.authenticationMethod, among: line, without: excluded) {
      entry.noteAsked(peer)
      entries[key] = entry
      return [.notify(peer, challenge: entry.identifier)]
    }
    let wasAsked = !entry.asked.isEmpty || !entry.answered.isEmpty
    var effects = entry.asked.isEmpty ? [] : settle(&entry, .default, nil)
    forget(&entry)
    effects += resume(&entry, .performDefaultHandling(wasAsked: wasAsked)) { _ in true }
    put(entry, at: key)
    return effects
  }

  /// The next candidates for everything that this connection was asked and can no longer answer.
  private mutating func askOthers(insteadOf peer: PeerIdentifier, now: Double) -> [Effect] {
    var effects: [Effect] = []
    for (key, entry) in entries where entry.isAsking && entry.asked.last == peer {
      let method = entry.question.space.authenticationMethod
      let owns = entry.waiters.contains { $0.peer == peer } && roster.takes(method, forOwnTaskOf: peer)
      if owns || roster.isSessionDelegate(peer, for: method) { continue }
      var entry = entry
      effects += askNext(&entry, at: key)
    }
    return effects
  }

  /// Who is asked next (challenges §3), or nil.
  private func candidate(
    for method: AuthenticationMethod, among line: [ChallengeWaiter], without excluded: Set<PeerIdentifier>
  ) -> PeerIdentifier? {
    let delegates = roster.sessionDelegates(for: method).lazy.filter { !excluded.contains($0) }
    let owners = line.lazy.compactMap(\.peer).filter { peer in
      !excluded.contains(peer) && roster.takes(method, forOwnTaskOf: peer)
    }
    return method.isSessionWide ? delegates.first ?? owners.first : owners.first ?? delegates.first
  }

  /// Gives the credential on trial to the next one in line.
  private mutating func tryNext(_ entry: inout PendingChallenge, now: Double) -> [Effect] {
    guard let credential = entry.trial?.credential else { return [] }
    guard let waiter = entry.takeNextTrier(now: now) else {
      if entry.trial?.triers.isEmpty == true { entry.endTrial() }
      return []
    }
    return [.resume(waiter.task, .tryCredential(credential))]
  }

  private mutating func resume(
    _ entry: inout PendingChallenge, _ verdict: ChallengeVerdict, where concerns: (ChallengeWaiter) -> Bool
  ) -> [Effect] {
    let resumed = entry.waiters.filter(concerns)
    entry.waiters.removeAll(where: concerns)
    return resumed.map { waiter in
      waiting[waiter.task] = nil
      return .resume(waiter.task, verdict)
    }
  }

  /// Ends the question: its id means nothing any more.
  private mutating func settle(
    _ entry: inout PendingChallenge, _ outcome: ChallengeOutcome, _ disposition: Disposition?
  ) -> [Effect] {
    let effect = Effect.settled(
      challenge: entry.identifier, outcome, disposition, asked: entry.asked.filter(roster.isHolder))
    forget(&entry)
    return [effect]
  }

  private mutating func forget(_ entry: inout PendingChallenge) {
    keys[entry.identifier] = nil
    entry.endAsking()
  }

  /// Keeps the entry while somebody waits or tries.
  private mutating func put(_ entry: PendingChallenge, at key: Key) {
    let isTried = !(entry.trial?.triers.isEmpty ?? true)
    entries[key] = entry.waiters.isEmpty && !isTried ? nil : entry
  }

  private func isCancelRemembered(for waiter: ChallengeWaiter, key: Key, now: Double) -> Bool {
    guard let cancel = cancels[key], now < cancel.until else { return false }
    return waiter.task.number <= cancel.lastTask.number && (cancel.peer == nil || cancel.peer == waiter.peer)
  }
}
