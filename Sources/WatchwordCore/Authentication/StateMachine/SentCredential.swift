internal import WatchwordVocabulary

extension AuthenticationStateMachine {
  /// What the running exchange carries.
  ///
  /// An object, since it is too large to be copied for a look at it. It is changed only while its exchange
  /// runs, with what is learned of it.
  final class SentCredential {
    /// Where it is from, and so where news of it goes.
    enum Source {
      /// The task's own for this space.
      case own(ProtectionSpace)
      case cached(CredentialKey, generation: UInt64)
      indirect case renewed(Renewal)
    }

    let kind: Credential.Kind
    var source: Source
    /// Not nil exactly for Digest.
    let ticket: DigestTicket?
    let isPreemptive: Bool
    /// On which it was sent, if that is known.
    var connection: UInt64?
    /// Whether its nonce was given on another connection, as far as that is known.
    var isOfOtherConnection = false
    /// The newest entry of the memory that the task knew of when it was sent: this one, if it was an entry.
    let knownGeneration: UInt64

    init(
      kind: Credential.Kind, source: Source, ticket: DigestTicket?, isPreemptive: Bool = false,
      knownGeneration: UInt64
    ) {
      self.kind = kind
      self.source = source
      self.ticket = ticket
      self.isPreemptive = isPreemptive
      self.knownGeneration = knownGeneration
    }

    var space: ProtectionSpace {
      switch source {
      case .own(let space): space
      case .cached(let key, _): key.space
      case .renewed(let renewal): renewal.key.space
      }
    }

    /// The entry of the memory that it is, or is made from.
    var entry: (key: CredentialKey, generation: UInt64)? {
      switch source {
      case .own: nil
      case .cached(let key, let generation): (key, generation)
      case .renewed(let renewal): (renewal.key, renewal.generation)
      }
    }

    /// A server has judged it.
    func note(_ outcome: HistoryEntry.Outcome, in memory: SessionMemory) {
      memory.note(outcome, of: kind, in: space, entry: entry?.key)
    }
  }

  /// A cached Digest credential with a nonce that this task keeps to itself until the server has accepted it:
  /// others using it at the same time could get it refused once more.
  struct Renewal: Sendable {
    let key: CredentialKey
    let generation: UInt64
    let failedNonce: OctetString
    let kind: Credential.Kind
    var digest: DigestAuthenticator
  }
}
