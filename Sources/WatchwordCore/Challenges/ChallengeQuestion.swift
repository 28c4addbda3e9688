/// What a task meets when a server refuses it: all that a challenge says, without an id.
package struct ChallengeQuestion: Sendable, Equatable {
  package let url: RequestURL
  package let space: ProtectionSpace
  /// All that was offered in the same response, in the order in which they will be tried.
  package let offers: [Offer]
  package let proposed: ProposedCredential?
  package let previousFailureCount: Int
  package let failureResponse: ResponseHead?
  /// The response offers less than the server did before: whoever answers should know.
  package let weakerOffer: WeakerOffer?
  /// What this space has refused to this task: not sent again when somebody answers with it.
  package let refused: [Credential.Kind]
  /// Whether the task waits with others: not at an origin for which its URL names a user (challenges §7).
  package let isShared: Bool

  package init(
    url: RequestURL, space: ProtectionSpace, offers: [Offer], proposed: ProposedCredential?,
    previousFailureCount: Int, failureResponse: ResponseHead?,
    weakerOffer: WeakerOffer? = nil, refused: [Credential.Kind] = [], isShared: Bool = true
  ) {
    self.url = url
    self.space = space
    self.offers = offers
    self.proposed = proposed
    self.previousFailureCount = previousFailureCount
    self.failureResponse = failureResponse
    self.weakerOffer = weakerOffer
    self.refused = refused
    self.isShared = isShared
  }
}

/// What the session would use if let; never a secret.
package struct ProposedCredential: Sendable, Equatable {
  package enum Source: String, Sendable {
    case url
    case session
    case permanent
    case synchronizable
    case netrc
  }

  package let user: String?
  package let source: Source

  package init(user: String?, source: Source) {
    self.user = user
    self.source = source
  }
}

/// What the board tells one waiting task.
package enum ChallengeVerdict: Sendable, Equatable {
  /// Try this one first; whether the server accepts it decides for the others (challenges §6).
  case tryCredential(Credential)
  /// It was accepted, but is for the tasks of this answer only (persistence `none`).
  case useCredential(Credential)
  /// It was accepted and is in the session's cache now; or, for a question of a handshake, it has been decided.
  case useStored
  /// A credential that this space refused before, or none: go on without, the refusal is the result.
  case deliverRefusal
  /// `isReply` when somebody said so, which also confirms the use of a credential that wants that (limit
  /// `confirm`); not when nobody was there to ask, or nobody answered.
  case performDefaultHandling(isReply: Bool)
  case reject
  case cancel
}

/// How a challenge ended, for `challenge/didSettle`.
package enum ChallengeOutcome: String, Sendable {
  case answered
  case `default`
  case deadline
  case withdrawn
}

/// What a challenge that nobody answered in time means (configuration `challenges.unanswered`).
package enum UnansweredMeaning: String, Sendable, CaseIterable {
  case cancel
  case performDefaultHandling
  case deliver
}
