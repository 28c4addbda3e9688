internal import WatchwordVocabulary

extension AuthenticationStateMachine {
  /// What the machine needs from outside for one request that may carry a credential.
  struct Attempt {
    /// The request, as the hop sees it that gets the credential.
    var use: CredentialUse
    /// Whether a delegate can be asked.
    let canAsk: ChallengeBoard.CanAsk
    /// Makes the client's nonce of a Digest answer.
    let clientNonce: () -> String
    /// The session's.
    let memory: SessionMemory

    init(
      _ use: CredentialUse, canAsk: @escaping ChallengeBoard.CanAsk, clientNonce: @escaping () -> String,
      memory: SessionMemory
    ) {
      self.use = use
      self.canAsk = canAsk
      self.clientNonce = clientNonce
      self.memory = memory
    }
  }
}

extension Offer {
  /// The space that it asks for at the hop of this request.
  func protectionSpace(for use: CredentialUse) -> ProtectionSpace {
    protectionSpace(of: use.url.origin, proxyType: use.proxyType)
  }
}
