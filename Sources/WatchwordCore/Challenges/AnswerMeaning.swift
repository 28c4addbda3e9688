package import WatchwordVocabulary

/// What the answer to a challenge means to the tasks that wait for it: the one table, for every answer and
/// every kind of challenge (challenges.md 5.1).
///
/// | | response: `basic`, `digest`, … | `serverTrust` | `clientCertificate` | `agentUnlock` |
/// |---|---|---|---|---|
/// | `useCredential` | try it | trust the chain | present the identity | storage.md 9.11.6; without one `agentLocked` |
/// | `performDefaultHandling` | next offer | default evaluation | default identity | `agentLocked` |
/// | `rejectProtectionSpace` | exclude the offer | `serverTrustRejected` | present no certificate | `agentLocked` |
/// | `cancelAuthenticationChallenge` | `userCancelledAuthentication` | `serverTrustRejected` | `userCancelledAuthentication` | `userCancelledAuthentication` |
/// | no delegate | next offer | default evaluation | default identity | `agentLocked` |
/// | `unanswered`: `cancel`, `performDefaultHandling` | as the disposition | as the disposition | as the disposition | as the disposition |
/// | `unanswered`: `deliver` | deliver the response | `serverTrustRejected` | present no certificate | `agentLocked` |
package enum AnswerMeaning: Sendable, Equatable {
  /// One task tries the credential; the server's response decides for the others.
  case trial
  /// The session trusts the chain or presents the identity, and the handshakes start again.
  case decision
  /// The session decides as it would without a delegate, and the handshakes start again.
  case defaultDecision
  /// The session presents no certificate, and the handshakes start again.
  case noCertificate
  /// The task uses a credential from outside the session, if there is one. Otherwise it excludes the offer
  /// and tries the next one; without one, the response is its result. A reply also confirms the use of a
  /// credential that has the limit `confirm`.
  case nextOffer(confirms: Bool)
  /// The task excludes the offer, whatever could answer it, and tries the next one.
  case excludeOffer
  /// The response is the result; a task that meets the lock fails with `agentLocked`.
  case refusal
  /// The task fails with `userCancelledAuthentication`.
  case cancelled
  /// The task fails with `serverTrustRejected`.
  case serverTrustRejected

  /// The answer that a challenge receives.
  package enum Answer: Sendable, Hashable {
    case reply(Disposition)
    /// Its time limit has passed.
    case unanswered(UnansweredMeaning)
    /// No connection takes it.
    case noDelegate
  }

  package init(of answer: Answer, to space: ProtectionSpace) {
    switch space.authenticationMethod {
    // Nobody asks for a key.
    case .basic, .digest, .bearer, .negotiate, .ntlm, .htmlForm, .key:
      switch answer {
      case .reply(.useCredential): self = .trial
      case .reply(.performDefaultHandling): self = .nextOffer(confirms: true)
      case .unanswered(.performDefaultHandling), .noDelegate: self = .nextOffer(confirms: false)
      case .reply(.rejectProtectionSpace): self = .excludeOffer
      case .reply(.cancelAuthenticationChallenge), .unanswered(.cancel): self = .cancelled
      case .unanswered(.deliver): self = .refusal
      }
    case .serverTrust:
      switch answer {
      case .reply(.useCredential): self = .decision
      case .reply(.performDefaultHandling), .unanswered(.performDefaultHandling), .noDelegate:
        self = space.serverTrust?.isTrusted == true ? .defaultDecision : .serverTrustRejected
      case .reply(.rejectProtectionSpace), .reply(.cancelAuthenticationChallenge), .unanswered(.cancel),
        .unanswered(.deliver):
        self = .serverTrustRejected
      }
    case .clientCertificate:
      switch answer {
      case .reply(.useCredential): self = .decision
      case .reply(.performDefaultHandling), .unanswered(.performDefaultHandling), .noDelegate:
        self = .defaultDecision
      case .reply(.rejectProtectionSpace), .unanswered(.deliver): self = .noCertificate
      case .reply(.cancelAuthenticationChallenge), .unanswered(.cancel): self = .cancelled
      }
    case .agentUnlock:
      switch answer {
      case .reply(.cancelAuthenticationChallenge), .unanswered(.cancel): self = .cancelled
      case .reply(.useCredential), .reply(.performDefaultHandling), .reply(.rejectProtectionSpace),
        .unanswered(.performDefaultHandling), .unanswered(.deliver), .noDelegate:
        self = .refusal
      }
    }
  }
}
