package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// A challenge as it goes over the wire (challenges.md 2.4).
extension Sent.Challenge {
  /// Longest list of waiters in one message; beyond it `waiterCount` says how many there are.
  package static let maximumWaiters = 4096

  /// Longest list of offers in one message; beyond it `offerCount` says how many there are.
  package static let maximumOffers = 16

  /// The fields of a refusal that carry the state of a session or login; never shown.
  package static let hiddenFields: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info",
  ]

  /// - Parameters:
  ///   - url: with its query only for the connection of the task.
  ///   - sourceFailure: why the source of the space gave nothing.
  ///   - prompt: what a person needs so that the source of the space gives a token.
  ///   - identities: of a wish for a client certificate: the session's that fit, the one of default handling
  ///     first.
  ///   - asked: the processes that were asked.
  ///   - deadline: seconds since 1970.
  package init(
    challenge: String, session: String, task: String, url: String, question: ChallengeQuestion,
    sourceFailure: SourceFailure? = nil, prompt: PendingChallenge.SourcePrompt? = nil,
    identities: [String]? = nil, waiters: [Sent.Waiter], waiterCount: Int, asked: [Int] = [],
    waitedSeconds: Double = 0, deadline: Double
  ) {
    self.init(
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
      }, error: Sent.ChallengeError(question, sourceFailure), waiters: waiters, waiterCount: waiterCount,
      asked: asked, waitedSeconds: waitedSeconds, deadline: Timestamp.text(deadline))
  }
}

extension Sent.ChallengeError {
  /// Why the question is asked, where it is not the server's demand alone.
  fileprivate init?(_ question: ChallengeQuestion, _ sourceFailure: SourceFailure?) {
    if let fault = question.fault {
      self.init(kind: fault.rawValue)
    } else if let sourceFailure {
      self.init(kind: "sourceFailed", source: sourceFailure.name, reason: sourceFailure.fault.rawValue)
    } else if let confirmation = question.confirmation {
      self.init(kind: "confirmUse", process: .some(confirmation.process?.pid.map { Int($0) }))
    } else if let weaker = question.weakerOffer {
      self.init(kind: "weakerOffer", previous: weaker.previous.sent, offered: weaker.offered.sent)
    } else {
      return nil
    }
  }
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
