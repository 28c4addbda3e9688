package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// One question put to a delegate.
  package struct Challenge: SentObject {
    /// An id, unique for the life of the daemon and not guessable.
    package let challenge: String
    package let session: String
    /// The task that raised it.
    package let task: String
    /// Without userinfo. Its query is shown to the connection of the task only.
    package let url: String
    package let origin: String
    /// What the challenge is about; messages.md 6.1.2 has its members.
    package let protectionSpace: Sent.ProtectionSpace
    /// Only when the task has chosen a proxy of its own (storage.md 9.2.7): its URL without userinfo, through
    /// which the credential goes.
    package let proxy: String?
    /// Only when a `Host` field of the task or its session names another server than the URL (storage.md
    /// 9.2.7): its value in lower case, with `\x` and two digits for each octet that is not of ASCII. The
    /// credential goes to that server.
    package let hostField: String?
    /// What callers of the session have chosen of the way to the server that asks, and neither the user nor
    /// the administrator (storage.md 9.6.12).
    package let callersWays: [String]
    /// Only when a person must enter a code (methods.md 9.10.8): the name of the source that waits for it.
    /// The page and the code are in parameters of the protection space.
    package let source: String?
    /// The offers of the response that are left for this task, in the order in which they are tried: the
    /// first 16 of them. The challenge is about the first. Empty for serverTrust and clientCertificate.
    package let offers: [Sent.Offer]
    /// How many are left, when offers does not list them all.
    package let offerCount: Int?
    /// The challenges of the response that cannot be answered: the first 16 of them (challenges.md 6.3).
    package let unusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let unusableOfferCount: Int?
    /// Never a secret (challenges.md 2.8).
    package let proposedCredential: Sent.ProposedCredential?
    /// Only for clientCertificate: the ids of the identities that fit, the session's own before the permanent
    /// ones. Default handling presents the first.
    package let identities: [String]?
    /// Refusals in this protection space during this task, and credentials that could not be used for the
    /// same reason again.
    package let previousFailureCount: Int
    /// Status and header fields of the refusing response, without Set-Cookie, Authentication-Info and
    /// Proxy-Authentication-Info; null for a question of a handshake.
    package let failureResponse: Sent.ChallengeFailureResponse?
    /// A typed reason; more kinds may be added.
    package let error: Sent.ChallengeError?
    /// The tasks that wait under the challenge with their processes: the first 4,096 of them.
    package let waiters: [Sent.Waiter]
    /// How many wait in all.
    package let waiterCount: Int
    /// When the default is applied.
    package let deadline: String

    package init(
      challenge: String, session: String, task: String, url: String, origin: String,
      protectionSpace: Sent.ProtectionSpace, proxy: String?, hostField: String?, callersWays: [String],
      source: String?, offers: [Sent.Offer], offerCount: Int?, unusableOffers: [Sent.UnusableOffer],
      unusableOfferCount: Int?, proposedCredential: Sent.ProposedCredential?, identities: [String]?,
      previousFailureCount: Int, failureResponse: Sent.ChallengeFailureResponse?, error: Sent.ChallengeError?,
      waiters: [Sent.Waiter], waiterCount: Int, deadline: String
    ) {
      self.challenge = challenge
      self.session = session
      self.task = task
      self.url = url
      self.origin = origin
      self.protectionSpace = protectionSpace
      self.proxy = proxy
      self.hostField = hostField
      self.callersWays = callersWays
      self.source = source
      self.offers = offers
      self.offerCount = offerCount
      self.unusableOffers = unusableOffers
      self.unusableOfferCount = unusableOfferCount
      self.proposedCredential = proposedCredential
      self.identities = identities
      self.previousFailureCount = previousFailureCount
      self.failureResponse = failureResponse
      self.error = error
      self.waiters = waiters
      self.waiterCount = waiterCount
      self.deadline = deadline
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("session", session)
      writer.member("task", task)
      writer.member("url", url)
      writer.member("origin", origin)
      writer.member("protectionSpace", protectionSpace)
      if let proxy { writer.member("proxy", proxy) }
      if let hostField { writer.member("hostField", hostField) }
      if !callersWays.isEmpty { writer.member("callersWays", callersWays) }
      if let source { writer.member("source", source) }
      writer.member("offers", offers)
      if let offerCount { writer.member("offerCount", offerCount) }
      if !unusableOffers.isEmpty { writer.member("unusableOffers", unusableOffers) }
      if let unusableOfferCount { writer.member("unusableOfferCount", unusableOfferCount) }
      writer.member("proposedCredential", proposedCredential)
      if let identities { writer.member("identities", identities) }
      writer.member("previousFailureCount", previousFailureCount)
      writer.member("failureResponse", failureResponse)
      writer.member("error", error)
      writer.member("waiters", waiters)
      writer.member("waiterCount", waiterCount)
      writer.member("deadline", deadline)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
      session = try object.member("session")
      task = try object.member("task")
      url = try object.member("url")
      origin = try object.member("origin")
      protectionSpace = try object.member("protectionSpace")
      proxy = try object.memberIfPresent("proxy")
      hostField = try object.memberIfPresent("hostField")
      callersWays = try object.member("callersWays")
      source = try object.memberIfPresent("source")
      offers = try object.member("offers")
      offerCount = try object.memberIfPresent("offerCount")
      unusableOffers = try object.member("unusableOffers")
      unusableOfferCount = try object.memberIfPresent("unusableOfferCount")
      proposedCredential = try object.member("proposedCredential")
      identities = try object.memberIfPresent("identities")
      previousFailureCount = try object.member("previousFailureCount")
      failureResponse = try object.member("failureResponse")
      error = try object.member("error")
      waiters = try object.member("waiters")
      waiterCount = try object.member("waiterCount")
      deadline = try object.member("deadline")
    }
  }
}
