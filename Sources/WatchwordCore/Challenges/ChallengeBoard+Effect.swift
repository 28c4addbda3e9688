package import WatchwordVocabulary

extension ChallengeBoard {
  package enum Effect: Sendable, Equatable {
    /// Send the challenge's notification to this connection.
    case notify(PeerIdentifier, challenge: String)
    /// Tell the connections that were asked how the challenge ended.
    case settled(challenge: String, ChallengeOutcome, Disposition?, asked: [PeerIdentifier])
    case resume(TaskIdentifier, ChallengeVerdict)
    /// The connection that was asked may not answer any more: say `askAnother`.
    case askAnother(about: String)
    /// Read the source of this name, then say `sourceRead`.
    case readSource(String, challenge: String)
    /// What the source was read for under this id is not wanted any more.
    case stopReading(challenge: String)
    /// A handshake question is decided. Comes before the tasks that it serves are resumed.
    case decided(HandshakeDecision)
  }

  /// Why a reply was refused and changed nothing.
  package enum ReplyFault: Error, Sendable, Equatable {
    case notPending
    case unusable(CredentialFault)
    /// The administrator's rule of this name forbids it.
    case notAllowed(rule: String)
  }
}
