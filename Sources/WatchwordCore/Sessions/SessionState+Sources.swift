internal import WatchwordVocabulary

/// Credentials of the administrator's sources (challenges.md 9.7).
extension SessionState {
  /// A source has been read.
  package mutating func sourceRead(
    _ request: SourceRequest, _ result: Result<SourceAnswer, SourceFault>, at moment: Moment
  ) -> [Effect] {
    // It may have been replaced or removed meanwhile.
    let binding = board.sources.binding(of: request.space).flatMap { $0.name == request.name ? $0 : nil }
    var credential: Credential?
    var failure: SourceFailure?
    switch result {
    case .success(let answer):
      credential = binding.map {
        answer.credential(from: $0.name, persistence: $0.persistence, limits: $0.limits)
      }
    case .failure(let fault):
      failure = fault.isRefusalOfServer ? nil : SourceFailure(request.name, fault)
    }
    switch request.purpose {
    case .challenge(let identifier):
      carryOut(board.sourceRead(identifier, credential, failure, now: moment.now), at: moment)
    case .renewal:
      guard let credential, let binding else { break }
      credentials.store(credential, for: request.space, owner: binding.owner, now: moment.now)
      board.sources.note(credential, in: request.space, owner: binding.owner, wallClock: moment.wallClock)
      announceCredentialChanges()
    }
    return takeEffects()
  }

  // MARK: Steps

  mutating func readSource(_ name: String, for identifier: String) {
    guard let challenge = board.challenge(identifier) else { return }
    let question = challenge.question
    var request = SourceRequest(
      name, for: question.space, purpose: .challenge(identifier), challenges: question.offeredFields)
    request.want.refused = challenge.refused
    request.want.isRepeated = challenge.hasTriedSource
    effects.append(.readSource(request))
  }

  /// Credentials for this origin that end soon are read again while they are still used.
  mutating func renewSources(at origin: Origin, _ moment: Moment) {
    guard !board.sources.isEmpty else { return }
    for due in board.sources.takeDue(at: origin, wallClock: moment.wallClock) {
      effects.append(.readSource(SourceRequest(due.binding.name, for: due.space, purpose: .renewal)))
    }
  }
}
