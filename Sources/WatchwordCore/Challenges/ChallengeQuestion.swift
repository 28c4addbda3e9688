package import WatchwordVocabulary

/// A use of a stored credential that a delegate has to confirm (storage.md 9.5.3).
package struct ConfirmedUse: Sendable, Hashable {
  /// The process that wants to use it; nil when it is not known.
  package let process: ProcessIdentifier?
}

/// What a task meets when a server refuses it: the content of a challenge, without an id.
package struct ChallengeQuestion: Sendable, Equatable {
  package let url: RequestURL
  package let space: ProtectionSpace
  /// All offers of the response, in the order in which they will be tried.
  package let offers: [Offer]
  /// Challenges of the response that cannot be answered.
  package let unusableOffers: UnusableOffers
  package let proposed: ProposedCredential?
  package let previousFailureCount: Int
  package let failureResponse: ResponseHead?
  /// Set when the response offers less than the server did before, so that the delegate knows.
  package let weakerOffer: WeakerOffer?
  /// Set when the credential could not be used, before the server has judged it.
  package let fault: NegotiationFault?
  /// Set when default handling would use a stored credential with the limit `confirm` for a process that did
  /// not give it.
  package let confirmation: ConfirmedUse?
  /// Credentials that this space has refused to this task; a reply with one of them is not sent again.
  package let refused: [Credential.Kind]
  package let sharing: Sharing
  /// What a delegate is told of the credential's way: a proxy that the task has chosen itself, and the server
  /// that a `Host` field names.
  package let route: RequestRoute
  /// And what the session's callers have chosen.
  package let callersWays: [CallersWay.Choice]

  /// Which tasks wait under one question, of those that meet its space.
  package enum Sharing: Sendable, Hashable {
    /// The one that asks: its URL names a user at this origin (storage.md 9.2.3), or the confirmation is of a
    /// process that is not known.
    case alone
    /// Those that have chosen the same ways to the server (storage.md 9.2.7); empty: none of their own.
    case overWays([CallersWay])
  }

  package var isShared: Bool { sharing != .alone }
  /// Whether what a source gives may answer it.
  var isForSources: Bool { sharing == .overWays([]) }

  /// The fields of the refusal that hold its challenges.
  package var offeredFields: [String] {
    failureResponse?.headers.values(of: space.isProxy ? "proxy-authenticate" : "www-authenticate") ?? []
  }

  package init(
    url: RequestURL, space: ProtectionSpace, offers: [Offer],
    unusableOffers: UnusableOffers = UnusableOffers(), proposed: ProposedCredential?,
    previousFailureCount: Int, failureResponse: ResponseHead?,
    weakerOffer: WeakerOffer? = nil, fault: NegotiationFault? = nil, confirmation: ConfirmedUse? = nil,
    refused: [Credential.Kind] = [], sharing: Sharing = .overWays([]),
    route: RequestRoute = RequestRoute(), callersWays: [CallersWay.Choice] = []
  ) {
    self.url = url
    self.space = space
    self.offers = offers
    self.unusableOffers = unusableOffers
    self.proposed = proposed
    self.previousFailureCount = previousFailureCount
    self.failureResponse = failureResponse
    self.weakerOffer = weakerOffer
    self.fault = fault
    self.confirmation = confirmation
    self.refused = refused
    self.sharing = sharing
    self.route = route
    self.callersWays = callersWays
  }
}

/// The properties of a challenge that determine which delegates take it.
package struct ChallengeSubject: Sendable, Equatable {
  package let method: AuthenticationMethod
  /// For `serverTrust`: default evaluation found no fault.
  package let isTrustedChain: Bool

  package init(_ method: AuthenticationMethod, isTrustedChain: Bool = false) {
    self.method = method
    self.isTrustedChain = isTrustedChain
  }

  static let trustedChain = ChallengeSubject(.serverTrust, isTrustedChain: true)
}

/// What the board tells one waiting task.
package enum ChallengeVerdict: Sendable, Equatable {
  /// Try this one first; whether the server accepts it decides for the other tasks (challenges.md 12.7).
  case tryCredential(Credential)
  /// The server accepted it, but it is only for the tasks of this answer (persistence `none`).
  case useCredential(Credential)
  /// The server accepted it and it is in the session's memory now; or a handshake question has been decided.
  case useStored
  /// The reply has no credential, or one that this space refused before: the refusal is the result.
  case deliverRefusal
  /// ``AnswerMeaning/nextOffer(confirms:)``
  case nextOffer(confirms: Bool)
  /// The same as ``nextOffer(confirms:)``, for a space whose source has failed.
  case sourceFailed(SourceFailure)
  /// ``AnswerMeaning/excludeOffer``
  case excludeOffer
  case cancel
  case rejectServerTrust
}

/// The credential that the session would use if allowed, without its secret.
package struct ProposedCredential: Sendable, Equatable {
  package let user: String?
  package let source: Source

  package init(user: String?, source: Source) {
    self.user = user
    self.source = source
  }
}

extension ProposedCredential.Source {
  /// Of a record of the account.
  package init(ofRecord entry: CachedCredential) {
    self = entry.credential.persistence == .synchronizable ? .synchronizable : .permanent
  }
}
