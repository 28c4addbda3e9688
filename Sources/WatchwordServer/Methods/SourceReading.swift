internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Reads the administrator's source that a caller names in place of a credential.
@ReactorActor
enum SourceReading {
  enum Reading {
    case credential(Credential)
    /// The source gives nothing before a person has entered a code.
    case needsPerson(SourceBindings.Binding)
  }

  static func read(
    _ name: String, for space: ProtectionSpace, challenges: [String] = [], _ persistence: Persistence,
    _ limits: CredentialLimits, isPreemptive: Bool, prefix: String, in session: SessionDriver, _ call: Call
  ) async throws(RPCError) -> Reading {
    let sources = session.environment.sources
    if let fault = sources.fault(naming: name, for: space.origin) {
      throw ChallengeMethods.unusable(fault.text, fault)
    }
    try nameSource(for: space, in: session)
    let request = SourceRequest(name, for: space, purpose: .renewal, challenges: challenges)
    let result = try await call.wait { end in
      let ticket = sources.read(request, then: end)
      return { _ = ticket?.abandon() }
    }
    guard !session.isOver else { throw .sessionInvalidated("session \(session.name) has ended") }
    // It may have been taken back meanwhile (storage.md 9.7.8).
    try nameSource(for: space, in: session)
    switch result {
    case .success(let answer):
      return .credential(
        answer.credential(
          from: name, persistence: persistence, limits: limits, isPreemptive: isPreemptive, prefix: prefix))
    case .failure(.promptNeeded):
      guard !session.isLocked else { throw .agentLocked }
      var binding = SourceBindings.Binding(name, persistence, limits, owner: call.peer.caller)
      binding.isPreemptive = isPreemptive
      binding.prefix = prefix
      return .needsPerson(binding)
    case .failure(let fault):
      throw ChallengeMethods.unusable(
        SourceFailure(name, fault).text, CredentialFault.sourceFailed, source: fault)
    }
  }

  private static func nameSource(for space: ProtectionSpace, in session: SessionDriver) throws(RPCError) {
    guard let fault = session.feed({ $0.nameSource(for: space) }) else { return }
    throw ChallengeMethods.unusable(fault.text, fault)
  }
}
