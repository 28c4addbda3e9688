internal import WatchwordVocabulary

/// What the history of the account is told: who was asked, who answered, and what a server made of it.
extension SessionState {
  /// A challenge that connections are asked.
  struct AskedQuestion {
    let space: ProtectionSpace
    /// The process of the task that raised it.
    let process: ProcessIdentifier?
    let traceContext: TraceContext?
    var asked: [ProcessIdentifier] = []
  }

  struct Replier {
    let challenge: String
    let process: ProcessIdentifier?
    /// Why, in its own words.
    let because: String?
  }

  /// The servers' verdicts since the last event; before anything comes of them, since a trial knows its
  /// answerer.
  mutating func recordVerdicts(on task: SessionTask) {
    guard !memory.verdicts.isEmpty else { return }
    for verdict in memory.verdicts {
      var entry = HistoryEntry(
        verdict.outcome, in: verdict.space, user: verdict.kind.user, at: moment.wallClock)
      entry.process = task.process
      entry.traceContext = task.request.traceContext
      entry.answeredBy =
        verdict.owner ?? board.answerer(ofTrialBy: task.identifier).flatMap(surroundings.process)
      effects.append(.record(entry))
      if verdict.outcome == .accepted { noteAcceptanceToSources(of: verdict.kind, in: verdict.space) }
    }
    memory.forgetVerdicts()
  }

  /// What became of a client identity in a handshake, which may serve several tasks.
  mutating func recordIdentity(_ identifier: String, _ outcome: HistoryEntry.Outcome, at origin: Origin) {
    var entry = HistoryEntry(outcome, at: moment.wallClock)
    entry.origin = origin
    entry.authenticationMethod = .clientCertificate
    entry.identity = identifier
    effects.append(.record(entry))
  }

  mutating func noteAsked(_ peer: PeerIdentifier, _ challenge: PendingChallenge) {
    let identifier = challenge.identifier
    let raiser = tasks[challenge.raiser.task]
    var question =
      questions[identifier]
      ?? AskedQuestion(
        space: challenge.question.space, process: raiser?.process, traceContext: raiser?.request.traceContext)
    if let process = surroundings.process(peer) { question.asked.append(process) }
    questions[identifier] = question
  }

  mutating func recordEnd(of challenge: String, _ outcome: ChallengeOutcome, _ disposition: Disposition?) {
    guard let question = questions.removeValue(forKey: challenge) else { return }
    var entry = HistoryEntry(
      HistoryEntry.Outcome(outcome, disposition), in: question.space, user: nil, at: moment.wallClock)
    entry.process = question.process
    entry.traceContext = question.traceContext
    entry.asked = question.asked
    if let replier, replier.challenge == challenge {
      entry.answeredBy = replier.process
      entry.because = replier.because
    }
    replier = nil
    effects.append(.record(entry))
  }

  mutating func recordViolation(
    _ fault: RestrictionFault, of identifier: RestrictionIdentifier, by process: ProcessIdentifier?,
    _ traceContext: TraceContext?
  ) {
    var entry = HistoryEntry(.restricted, at: moment.wallClock)
    entry.origin = fault.origin
    entry.process = process
    entry.traceContext = traceContext
    entry.reason = fault.reason
    entry.restriction = identifier
    effects.append(.record(entry))
  }
}

extension HistoryEntry.Outcome {
  fileprivate init(_ outcome: ChallengeOutcome, _ disposition: Disposition?) {
    switch (outcome, disposition) {
    case (.deadline, _): self = .deadline
    case (.withdrawn, _): self = .withdrawn
    case (_, .useCredential): self = .answered
    case (_, .cancelAuthenticationChallenge): self = .cancelled
    case (_, .rejectProtectionSpace): self = .rejected
    case (_, .performDefaultHandling), (_, nil): self = .defaultHandling
    }
  }
}
