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
    let sources = session.environment.sources
    if let fault = sources.fault(naming: name, for: space.origin) {
      throw ChallengeMethods.unusable(fault.text, fault.rawValue)
    }
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    sources.read(SourceRequest(name, for: space, purpose: .renewal, challenges: challenges)) { result in
      guard !isCancelled else { return }
      do throws(RPCError) {
        switch result {
        case .success(let answer):
          guard !session.isOver else {
            throw RPCError(.sessionInvalidated, "session \(session.name) has ended")
          }
          try then(answer.credential(from: name, persistence: persistence, limits: limits))
        case .failure(let fault):
          throw ChallengeMethods.unusable(
            SourceFailure(name, fault).text, CredentialFault.sourceFailed.rawValue)
        }
      } catch {
        call.fail(error)
      }
    }
  }
}
