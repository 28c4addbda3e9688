internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Reads the administrator's source that a caller names in place of a credential.
@ReactorActor
enum SourceReading {
  /// Passes the credential on, or fails the call.
  ///
  /// - Parameter then: may throw the error that fails the call; not called when the call or the session has ended.
  static func begin(
    _ name: String, for space: ProtectionSpace, challenges: [String] = [], _ persistence: Persistence,
    _ limits: CredentialLimits, in session: Session, _ call: Call,
    then: @escaping @ReactorActor (Credential) throws(RPCError) -> Void
  ) throws(RPCError) {
    guard let source = session.environment.sources[name] else {
      throw ChallengeMethods.unusable(CredentialFault.unknownName.text, CredentialFault.unknownName.rawValue)
    }
    guard source.serves(space.origin) else {
      throw ChallengeMethods.unusable(CredentialFault.otherOrigin.text, CredentialFault.otherOrigin.rawValue)
    }
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    session.counters.sourcesRead += 1
    SourceReader.read(source, SourceRequest(name, for: space, purpose: .renewal, challenges: challenges)) {
      result in
      guard !isCancelled else { return }
      do throws(RPCError) {
        switch result {
        case .success(let answer):
          guard !session.isOver else {
            throw RPCError(.sessionInvalidated, "session \(session.name) has ended")
          }
          try then(answer.credential(from: name, persistence: persistence, limits: limits))
        case .failure(let fault):
          session.counters.sourcesFailed += 1
          throw ChallengeMethods.unusable(
            "the source \(name): \(fault.text)", CredentialFault.sourceFailed.rawValue)
        }
      } catch {
        call.fail(error)
      }
    }
  }
}
