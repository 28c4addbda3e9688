internal import WatchwordVocabulary

/// Credentials of the administrator's sources (challenges.md 9.7).
extension SessionState {
  /// A source has been read.
  ///
  /// - Parameter answer: nil when it gave nothing that can be used.
  package mutating func sourceRead(
    _ request: SourceRequest, _ answer: SourceAnswer?, at moment: Moment
  ) -> [Effect] {
    // It may have been replaced or removed meanwhile.
    let binding = board.sources.binding(of: request.space).flatMap { $0.name == request.name ? $0 : nil }
    let credential = binding.flatMap { binding in
      answer?.credential(from: binding.name, persistence: binding.persistence, limits: binding.limits)
    }
    switch request.purpose {
    case .challenge(let identifier):
      carryOut(board.sourceRead(identifier, credential, now: moment.now), at: moment)
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
    guard let question = board.challenge(identifier)?.question else { return }
    effects.append(
      .readSource(
        SourceRequest(
          name, for: question.space, purpose: .challenge(identifier), challenges: question.offeredFields)))
  }

  /// Credentials for this origin that end soon are read again while they are still used.
  mutating func renewSources(at origin: Origin, _ moment: Moment) {
    guard !board.sources.isEmpty else { return }
    for due in board.sources.takeDue(at: origin, wallClock: moment.wallClock) {
      effects.append(.readSource(SourceRequest(due.binding.name, for: due.space, purpose: .renewal)))
    }
  }
}
