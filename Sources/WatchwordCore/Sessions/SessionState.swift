package import WatchwordVocabulary

/// The state of a session and the effects of each event: its delegates, waiting tasks, credentials, trust,
/// identities and the machine of each task.
///
/// Pure. Every event returns effects in order; a driver carries them out and decides nothing. Each group of
/// rules has its own file: tasks (`+Tasks`), challenges (`+Challenges`), credentials (`+Credentials`), where
/// entries are kept (`+Persistence`), whether a step may be fetched and over which connections (`+Steps`),
/// the roots of the user (`+UserRoots`), restricted connections (`+Restrictions`), the lock of the agent
/// (`+Lock`), what the history is told (`+History`), server trust (`+Trust`) and client certificates
/// (`+Identities`). What follows from an event for thousands of tasks is divided by `+Consequences`.
package struct SessionState: ~Copyable {
  package internal(set) var configuration: SessionConfiguration
  /// Nil: any.
  var allowedOrigins: Set<Origin>?
  /// Where the tickets of the daemon's account may be used without a reply.
  var ambientOrigins: Set<Origin>
  /// Those of the machines of every new task.
  var authentication: AuthenticationStateMachine.Settings
  var forms: [FormRule]
  let surroundings: SessionSurroundings
  /// Of the event that it is lent for; the driver sets it then.
  package var moment: SessionMoment
  /// Nil: no setting concerns any origin.
  var proxies: ProxyRules?

  /// Always the same one, as `board` is. Of a constant of what cannot be copied, Swift 6.3 compiles no change
  /// of a part with ThreadSanitizer.
  package internal(set) var memory = SessionMemory()
  package internal(set) var identities = IdentityStore()
  /// What callers have decided about chains is a part of the ways that they have chosen.
  package internal(set) var trust: TrustStore {
    _read { yield memory.ways.trust }
    _modify { yield &memory.ways.trust }
  }
  package internal(set) var board: ChallengeBoard
  package internal(set) var tasks: [TaskIdentifier: SessionTask] = [:]
  /// Whether the agent of the account is locked.
  package internal(set) var isLocked = false
  package internal(set) var restrictions: [RestrictionIdentifier: Restriction] = [:]

  /// Those of the user that count here.
  var userRoots: UserRoots
  /// The root of the user that the last accepted chain of an origin ended in.
  var rootedOrigins: [Origin: Fingerprint] = [:]

  /// The challenges that are asked now, for the history.
  var questions: [String: AskedQuestion] = [:]
  /// Who has replied to the challenge that is being settled.
  var replier: Replier?

  var effects: [SessionEffect] = []
  /// Effects that the board asks for; one effect is never carried out inside another.
  var boardEffects: [ChallengeBoard.Effect] = []
  var nextBoardEffect = 0
  var isCarryingOut = false
  var isGivingTurns = false
  /// What follows from earlier events and is not carried out yet, in order.
  var consequences: [Consequence] = []
  /// Those that were carried out with this event.
  var servedCount = 0

  /// - Parameters:
  ///   - allowedOrigins: the only origins that are fetched; nil for any.
  ///   - proxies: those of the configuration; nil when it does not list any.
  ///   - forms: which pages are login forms.
  ///   - userRoots: those of the uid.
  package init(
    configuration: SessionConfiguration, allowedOrigins: Set<Origin>?, ambientOrigins: Set<Origin> = [],
    proxies: ProxyRules? = nil, forms: [FormRule] = [],
    userRoots: UserRoots = UserRoots(), surroundings: SessionSurroundings, moment: SessionMoment
  ) {
    self.configuration = configuration
    self.allowedOrigins = allowedOrigins
    self.ambientOrigins = ambientOrigins
    self.forms = forms
    self.surroundings = surroundings
    self.moment = moment
    self.userRoots = configuration.tls.counted(userRoots)
    let settings = SessionSettings(
      configuration, allowedOrigins: allowedOrigins, ambientOrigins: ambientOrigins, proxies: proxies,
      forms: forms)
    authentication = SessionState.authentication(settings, surroundings)
    self.proxies = SessionState.rules(settings, surroundings)
    board = ChallengeBoard(
      settings: configuration.challenges, makeIdentifier: surroundings.challengeIdentifier)
    memory.netrc = NetrcStore(configuration.netrc)
    memory.ways = CallersWays(
      configuration, proxies: self.proxies, forms: forms, environment: surroundings.proxies)
  }

  /// Bytes that credentials, nonces and identities take.
  package var heldBytes: Int {
    memory.byteCount + memory.count * HeldBytes.credential + memory.nonceBytes
      + identities.heldBytes
  }

  package var hasHolders: Bool { !board.roster.isEmpty }

  /// Whether it is empty, apart from settings: no holder, no task, no credential, decision or identity.
  package var holdsNothing: Bool {
    !hasHolders && tasks.isEmpty && memory.count == 0 && trust.count == 0
      && identities.count == 0
  }

  /// Effects of the events since the last call.
  package mutating func takeEffects() -> [SessionEffect] {
    servedCount = 0
    guard !effects.isEmpty else { return [] }
    defer { effects = [] }
    return effects
  }

  // MARK: Holders

  package mutating func register(_ peer: PeerIdentifier, interest: DelegateInterest?) -> [SessionEffect] {
    let process = surroundings.process(peer)
    runBoard(board.register(peer, of: process, interest: interest, now: moment.now))
    return takeEffects()
  }

  /// The connection left the session or closed; its tasks are cancelled unless they are detached.
  package mutating func remove(_ peer: PeerIdentifier) -> [SessionEffect] {
    let ending = halt(.cancelled) { $0.peer == peer && !$0.request.isDetached }
    runBoard(board.remove(peer, ending: ending.map(\.identifier), now: moment.now))
    drop(ending, .cancelled)
    return takeEffects()
  }

  /// Stops the machines of tasks that end together: none of them takes over a trial or a question from
  /// another.
  mutating func halt(_ failure: TaskFailure, _ isEnding: (SessionTask) -> Bool) -> [SessionTask] {
    let ending = tasks.values.filter(isEnding)
    for task in ending { _ = task.machine.stop(failure) }
    return ending
  }

  /// Ends tasks that were stopped together.
  mutating func drop(_ ending: [SessionTask], _ failure: TaskFailure) {
    for task in ending { follow(.end(task, failure)) }
  }

  // MARK: The administrator

  /// Open connections were judged by the previous rules. A decision that the new rules forbid is removed, and
  /// does not return when later rules would allow it.
  ///
  /// - Parameter unsent: tasks whose requests have no connection yet; the new rules apply to them.
  package mutating func policyChanged(unsent: [SessionTask]) -> [SessionEffect] {
    _ = trust.remove { [policy = moment.policy] in policy.forbids($0) }
    for task in unsent {
      let origin = task.machine.currentStep.url.origin
      guard
        let rule = ruleAgainstCleartext(to: origin)
          ?? ruleAgainstWay(to: origin, by: task.machine.route)
      else { continue }
      end(task, .policyRefused(rule: rule))
    }
    effects.append(.closeConnections(because: .somethingIsGone))
    return takeEffects()
  }

  // MARK: End

  /// Forgets credentials, trust and identities; tasks continue. Permanent entries stay.
  package mutating func reset() -> [SessionEffect] {
    wipe()
    stopUnboundReadings()
    return takeEffects()
  }

  /// The same for `agent/forget`, and nothing in the drivers keeps tickets (storage.md 9.8).
  package mutating func forget() -> [SessionEffect] {
    wipe()
    stopUnboundReadings()
    giveTurns()
    effects.append(.forgetAllTickets)
    return takeEffects()
  }

  mutating func wipe() {
    memory.removeAll()
    board.sources.removeAll()
    board.sources.endGuard(after: tasks.keys)
    memory.netrc.forgetRefusals()
    announceCredentialChanges()
    _ = trust.remove(identifier: nil, origin: nil)
    let unwanted = identities.all.map(\.identity.identifier)
    identities.removeAll()
    effects.append(.releaseKeys(unwanted))
    takeBackLogins()
    effects.append(.closeConnections(because: .somethingIsGone))
  }

  /// The session ended: it forgets its secrets, without effects.
  package mutating func end() {
    memory.removeAll()
    identities.removeAll()
    restrictions = [:]
    questions = [:]
    consequences = []
    effects = []
  }
}
