internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats a pending challenge for a person: the id to answer it with, then the origin.
enum ChallengeText {
  /// The id and who asks.
  static func line(_ challenge: Sent.Challenge) -> String {
    "\(DisplayText.escaped(challenge.challenge))  \(SpaceText.text(of: challenge.protectionSpace))"
  }

  static func brief(_ challenge: Sent.Challenge) -> String {
    let session = DisplayText.escaped(challenge.session)
    var text = line(challenge) + "\n"
    text += "  session \(session), for \(DisplayText.escaped(challenge.url, longest: 500))"
    let failures = challenge.previousFailureCount
    if failures > 0 { text += ", refused \(failures) time\(failures == 1 ? "" : "s")" }
    text += ", until \(DisplayText.escaped(challenge.deadline))\n"
    if let proxy = challenge.proxy {
      text += "  through the proxy \(DisplayText.escaped(proxy)), which the task has chosen\n"
    }
    if let host = challenge.hostField {
      text += "  to \(DisplayText.escaped(host)), which a Host field names\n"
    }
    for way in challenge.callersWays { text += "  \(CallersWayText.line(way))\n" }
    if let code = DeviceCode(challenge) { text += "  \(code.request)\n" }
    for line in IdentityQuestionText.request(challenge.protectionSpace) { text += "  \(line)\n" }
    if let trust = challenge.protectionSpace.serverTrust {
      text += ServerTrustText.reasons(trust)
      if let leaf = trust.certificates.first { text += ServerTrustText.brief(leaf) }
    }
    for offer in UnusableOffers(challenge.unusableOffers, of: challenge.unusableOfferCount).texts {
      text += "  cannot be answered: \(offer)\n"
    }
    for waiter in challenge.waiters.prefix(shownWaiters) {
      let process = SessionText.process(waiter.pid ?? 0, waiter.executable)
      text += "  wanted by \(process), task \(DisplayText.escaped(waiter.task))\n"
    }
    let more = challenge.waiterCount - shownWaiters
    return more > 0 ? text + "  and \(more) more\n" : text
  }

  /// Waiters shown per challenge; there may be a thousand.
  private static let shownWaiters = 5
}
