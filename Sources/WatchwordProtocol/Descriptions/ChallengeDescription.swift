package import WatchwordCore
package import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// A challenge as it goes over the wire (challenges.md 2.4).
package struct ChallengeDescription: Describing {
  /// Longest list of waiters in one message; beyond it `waiterCount` says how many there are.
  package static let maximumWaiters = 4096

  /// Longest list of offers in one message; beyond it `offerCount` says how many there are.
  package static let maximumOffers = 16

  package let challenge: String
  package let session: String
  package let task: String
  /// With its query only for the connection of the task.
  package let url: String
  package let question: ChallengeQuestion
  /// Why the source of the space gave nothing.
  package let sourceFailure: SourceFailure?
  /// What a person needs so that the source of the space gives a token.
  package let prompt: PendingChallenge.SourcePrompt?
  /// Of a wish for a client certificate: the session's identities that fit, the one of default handling first.
  package let identities: [String]?
  package let waiters: [Sent.Waiter]
  package let waiterCount: Int
  /// The processes that were asked.
  package let asked: [Int]
  package let waitedSeconds: Double
  /// Seconds since 1970.
  package let deadline: Double

  package init(
    challenge: String, session: String, task: String, url: String, question: ChallengeQuestion,
    sourceFailure: SourceFailure? = nil, prompt: PendingChallenge.SourcePrompt? = nil,
    identities: [String]? = nil, waiters: [Sent.Waiter], waiterCount: Int, asked: [Int] = [],
    waitedSeconds: Double = 0, deadline: Double
  ) {
    self.challenge = challenge
    self.session = session
    self.task = task
    self.url = url
    self.question = question
    self.sourceFailure = sourceFailure
    self.prompt = prompt
    self.identities = identities
    self.waiters = waiters
    self.waiterCount = waiterCount
    self.asked = asked
    self.waitedSeconds = waitedSeconds
    self.deadline = deadline
  }

  package var sent: Sent.Challenge {
    Sent.Challenge(
      challenge: challenge, session: session, task: task, url: url, origin: question.space.serverText,
      protectionSpace: question.space.sent(question.offers.first, prompt?.code),
      proxy: question.route.proxy?.text, hostField: question.route.host?.text,
      callersWays: question.callersWays.map(\.rawValue), source: prompt?.name,
      offers: question.offers.prefix(Self.maximumOffers).map(\.sent),
      offerCount: question.offers.count > Self.maximumOffers ? question.offers.count : nil,
      unusableOffers: question.unusableOffers.sent, unusableOfferCount: question.unusableOffers.sentCount,
      proposedCredential: question.proposed.map {
        Sent.ProposedCredential(user: $0.user, source: $0.source.rawValue)
      }, identities: identities, previousFailureCount: question.previousFailureCount,
      failureResponse: question.failureResponse.map { response in
        Sent.ChallengeFailureResponse(
          status: response.status,
          headers: response.headers.filter { !Self.hiddenFields.contains($0.name.asciiLowercased) })
      }, error: error, waiters: waiters, waiterCount: waiterCount, asked: asked,
      waitedSeconds: waitedSeconds, deadline: Timestamp.text(deadline))
  }

  private var error: Sent.ChallengeError? {
    if let fault = question.fault { return Sent.ChallengeError(kind: fault.rawValue) }
    if let sourceFailure {
      return Sent.ChallengeError(
        kind: "sourceFailed", source: sourceFailure.name, reason: sourceFailure.fault.rawValue)
    }
    if let confirmation = question.confirmation {
      return Sent.ChallengeError(
        kind: "confirmUse", process: .some(confirmation.process?.pid.map { Int($0) }))
    }
    return question.weakerOffer.map {
      Sent.ChallengeError(kind: "weakerOffer", previous: $0.previous.sent, offered: $0.offered.sent)
    }
  }

  /// The fields of a refusal that carry the state of a session or login; never shown.
  package static let hiddenFields: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info",
  ]
}

extension Offer {
  fileprivate var sent: Sent.Offer {
    Sent.Offer(
      authenticationMethod: authenticationMethod.rawValue, realm: realm?.text, realmBytes: realm?.sentBytes,
      parameters: sentParameters)
  }
}

extension UnusableOffers {
  package var sent: [Sent.UnusableOffer] {
    listed.map { Sent.UnusableOffer(scheme: $0.scheme, reason: $0.reason.rawValue) }
  }

  /// How many there are; nil when all of them are listed.
  package var sentCount: Int? { count > Self.maximumListed ? count : nil }
}

extension OfferStrength {
  fileprivate var sent: Sent.OfferStrength {
    Sent.OfferStrength(
      authenticationMethod: authenticationMethod.rawValue, algorithm: algorithm?.rawValue)
  }
}
