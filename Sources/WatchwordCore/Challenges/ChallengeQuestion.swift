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
  /// Set when default handling would use a stored credential with the limit `confirm` for a process that did not give it.
  package let confirmation: ConfirmedUse?
  /// Credentials that this space has refused to this task; a reply with one of them is not sent again.
  package let refused: [Credential.Kind]
  package let sharing: Sharing
  /// What a delegate is told of the credential's way: a proxy that the task has chosen itself, and the server that a
  /// `Host` field names.
  package let route: RequestRoute
  /// And what the session's callers have chosen.
  package let callersWays: [CallersWay.Choice]

  /// Which tasks wait under one question, of those that meet its space.
  package enum Sharing: Sendable, Hashable {
    /// The one that asks: its URL names a user at this origin (storage.md 9.2.3), or the confirmation is of a process
    /// that is not known.
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
