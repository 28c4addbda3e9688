internal import WatchwordClient
internal import WatchwordJSON

/// Formats a pending challenge for a person: the id to answer it with, then the origin.
enum ChallengeText {
  static func brief(_ challenge: JSONValue) -> String {
    let identifier = DisplayText.escaped(challenge["challenge"]?.text ?? "")
    let session = DisplayText.escaped(challenge["session"]?.text ?? "")
    var text = "\(identifier)  \(SpaceText.text(of: challenge["protectionSpace"] ?? .null))\n"
    text += "  session \(session)"
    if let url = challenge["url"]?.text { text += ", for \(DisplayText.escaped(url, longest: 500))" }
    let failures = challenge["previousFailureCount"]?.integer ?? 0
    if failures > 0 { text += ", refused \(failures) time\(failures == 1 ? "" : "s")" }
    let trust = challenge["protectionSpace"]?["serverTrust"] ?? .null
    text += ", until \(DisplayText.escaped(challenge["deadline"]?.text ?? ""))\n"
    if let code = DeviceCode(challenge) { text += "  \(code.request)\n" }
    for line in IdentityQuestionText.request(challenge["protectionSpace"] ?? .null) { text += "  \(line)\n" }
    for sentence in TrustReasonText.sentences(trust["reasons"]) { text += "  \(sentence)\n" }
    if let leaf = trust["certificates"]?.elements.first { text += ServerTrustText.brief(leaf) }
    for waiter in challenge["waiters"]?.elements.prefix(shownWaiters) ?? [] {
      text +=
        "  wanted by \(SessionText.process(waiter)), task \(DisplayText.escaped(waiter["task"]?.text ?? ""))\n"
    }
    let more = (challenge["waiterCount"]?.integer ?? 0) - Int64(shownWaiters)
    return more > 0 ? text + "  and \(more) more\n" : text
  }

  /// Waiters shown per challenge; there may be a thousand.
  private static let shownWaiters = 5
}
