internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Reads the administrator's source that a caller names in place of a credential.
@ReactorActor
enum SourceReading {
  /// Passes the credential on, or fails the call.
  ///
  /// - Parameters:
  ///   - binds: called instead of `then` when the source gives nothing before a person has entered a code.
  ///   - then: may throw the error that fails the call; not called when the call or the session has ended.
  static func begin(
    _ name: String, for space: ProtectionSpace, challenges: [String] = [], _ persistence: Persistence,
    _ limits: CredentialLimits, isPreemptive: Bool, prefix: String, in session: Session, _ call: Call,
    binds: @escaping @ReactorActor (SourceBindings.Binding) throws(RPCError) -> Void,
    then: @escaping @ReactorActor (Credential) throws(RPCError) -> Void
  ) throws(RPCError) {
    let sources = session.environment.sources
    if let fault = sources.fault(naming: name, for: space.origin) {
      throw ChallengeMethods.unusable(fault.text, fault)
    }
    try nameSource(for: space, in: session)
    call.mayStop()
    sources.read(SourceRequest(name, for: space, purpose: .renewal, challenges: challenges)) { result in
      guard !call.isOver else { return }
      call.proceed { () throws(RPCError) in
        guard !session.isOver else {
          throw .sessionInvalidated("session \(session.name) has ended")
        }
        // It may have been taken back meanwhile (storage.md 9.7.8).
        try nameSource(for: space, in: session)
        switch result {
        case .failure(.promptNeeded):
          guard !session.isLocked else { throw .agentLocked }
          var binding = SourceBindings.Binding(name, persistence, limits, owner: call.peer.caller)
          binding.isPreemptive = isPreemptive
          binding.prefix = prefix
          try binds(binding)
        case .success(let answer):
          try then(
            answer.credential(
              from: name, persistence: persistence, limits: limits, isPreemptive: isPreemptive,
              prefix: prefix))
        case .failure(let fault):
          throw ChallengeMethods.unusable(
            SourceFailure(name, fault).text, CredentialFault.sourceFailed, source: fault)
        }
      }
    }
  }

  private static func nameSource(for space: ProtectionSpace, in session: Session) throws(RPCError) {
    guard let fault = session.take({ $0.nameSource(for: space, at: $1) }) else { return }
    throw ChallengeMethods.unusable(fault.text, fault)
  }
}
