internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// A reply to a challenge with a permanent decision: written to the disk first, then accepted.
@ReactorActor
enum PermanentTrustReply {
  /// The challenge stays pending until the decision is on the disk. If the write fails, or the challenge has ended
  /// before, the reply is refused and nothing has changed.
  static func begin(
    _ daemon: Daemon, _ parameters: ChallengeReply.Parameters, with credential: Credential,
    for challenge: PendingChallenge, in session: Session, _ call: Call
  ) throws(RPCError) {
    let space = challenge.question.space
    guard let trust = space.serverTrust, case .trust(let scope) = credential.kind else {
      throw ChallengeMethods.unusable(CredentialFault.wrongKind.text, CredentialFault.wrongKind.rawValue)
    }
    if let rule = session.state.ruleAgainstTrust(in: challenge.identifier, session.policy) {
      throw ChallengeMethods.notAllowed(rule)
    }
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    let decision = TrustDecision(trust, for: space.origin, scope: scope)
    guard let account = session.account else { return }
    account.record(decision, about: trust) { [unowned daemon] result in
      switch result {
      case .failure(let fault):
        call.fail(RPCError(fault))
      case .success(let recording) where isCancelled: account.takeBack(recording)
      case .success(let recording):
        if recording.endsConnections { daemon.changes(of: session.uid).add(.trustRemoved) }
        do throws(RPCError) {
          try ChallengeMethods.settle(parameters, with: credential, in: session, call)
          daemon.noteChange()
        } catch {
          account.takeBack(recording)
          call.fail(error)
        }
      }
    }
  }
}
