package import WatchwordVocabulary

/// Credentials of the administrator's sources (storage.md 9.7).
extension SessionState {
  /// A source has been read.
  package mutating func sourceRead(
    _ request: SourceRequest, _ result: Result<SourceAnswer, SourceFault>
  ) -> [SessionEffect] {
    // It may have been replaced or removed meanwhile.
    let binding = board.sources.binding(of: request.space).flatMap { $0.name == request.name ? $0 : nil }
    var credential: Credential?
    var failure: SourceFailure?
    switch result {
    case .success(let answer):
      credential = binding.map {
        answer.credential(
          from: $0.name, persistence: $0.persistence, limits: $0.limits, isPreemptive: $0.isPreemptive,
          prefix: $0.prefix)
      }
    case .failure(let fault):
      failure = fault.isRefusalOfServer ? nil : SourceFailure(request.name, fault)
    }
    switch request.purpose {
    case .challenge(let identifier):
      runBoard(board.sourceRead(identifier, credential, failure, now: moment.now))
    case .renewal:
      board.sources.renewed(request.space)
      guard let credential, let binding, CredentialCheck.fault(of: credential, for: request.space) == nil,
        board.sources.noteGiven(credential, in: request.space, now: moment.now)
      else { break }
      // What a caller has made the default since stays it.
      let isDefault =
        memory.defaultEntry(of: request.space).map { $0.credential.user == credential.user } ?? true
      memory.store(
        credential, for: request.space, isDefault: isDefault, owner: binding.owner, now: moment.now)
      board.sources.note(credential, in: request.space, owner: binding.owner, wallClock: moment.wallClock)
      announceCredentialChanges()
    }
    return takeEffects()
  }

  /// The source that is read for a challenge needs a person.
  package mutating func sourcePrompts(_ request: SourceRequest, _ code: DevicePrompt) -> [SessionEffect] {
    if case .challenge(let identifier) = request.purpose {
      runBoard(board.sourcePrompts(identifier, code, now: moment.now))
    }
    return takeEffects()
  }

  /// Binds spaces to a source that gives nothing before a person has entered a code: the first task that
  /// needs it asks.
  ///
  /// - Returns: false when there are too many bindings.
  package mutating func bind(
    _ spaces: [ProtectionSpace], to binding: SourceBindings.Binding
  ) -> (Bool, [SessionEffect]) {
    let isBound = spaces.allSatisfy { board.sources.bind($0, to: binding) }
    // Another credential would be used before it.
    for space in spaces { _ = memory.remove(space: space, user: nil) }
    announceCredentialChanges()
    return (isBound, takeEffects())
  }

  /// A server has refused a credential.
  mutating func noteRefusalToSources(of mark: CredentialMark, in space: ProtectionSpace) {
    board.sources.noteRefusal(of: mark, in: space, now: moment.now)
    board.sources.receipts.takeRefused(mark, in: space).map { effects.append(.tellSource($0)) }
  }

  /// A server has accepted a credential.
  mutating func noteAcceptanceToSources(of kind: Credential.Kind, in space: ProtectionSpace) {
    board.sources.receipts.takeAccepted(kind, in: space).map { effects.append(.tellSource($0)) }
  }

  /// The sources whose credentials servers have refused.
  package func refusedSources(now: Double) -> [SourceBindings.Refusal] { board.sources.refusals(now: now) }

  // MARK: Steps

  /// Readings for spaces whose binding has ended are not wanted any more.
  mutating func stopUnboundReadings() {
    runBoard(board.stopUnboundReadings(now: moment.now))
  }

  mutating func readSource(_ name: String, for identifier: String) {
    guard let challenge = board.challenge(identifier) else { return }
    let question = challenge.question
    var request = SourceRequest(
      name, for: question.space, purpose: .challenge(identifier), challenges: question.offeredFields)
    request.want.refused = challenge.refused
    request.want.isRepeated = challenge.hasTriedSource
    request.want.mayPrompt = board.canShow(challenge)
    effects.append(.readSource(request))
  }

  /// Credentials for this origin that end soon are read again while they are still used.
  mutating func renewSources(at origin: Origin) {
    guard !board.sources.isEmpty else { return }
    let keys = board.sources.takeMissingKeys(at: origin, now: moment.now) { [memory, moment] space in
      !memory.hasKey(in: space, now: moment.now, wallClock: moment.wallClock)
    }
    for due in keys + board.sources.takeDue(at: origin, wallClock: moment.wallClock) {
      effects.append(.readSource(SourceRequest(due.binding.name, for: due.space, purpose: .renewal)))
    }
  }
}
