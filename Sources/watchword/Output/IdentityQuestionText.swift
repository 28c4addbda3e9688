internal import WatchwordMessages
internal import WatchwordVocabulary

/// The text of a question for a client certificate: the origin first, then what the server accepts, escaped.
enum IdentityQuestionText {
  /// The most authorities of a server that are listed.
  private static let shownIssuers = 8

  static func introduction(_ challenge: Sent.Challenge, _ identities: [Sent.Identity]) -> String {
    let space = challenge.protectionSpace
    let proxy = space.isProxy ? "proxy " : ""
    var text = "\(proxy)\(DisplayText.escaped(SpaceText.origin(of: space))) asks for a client certificate\n"
    text += challenge.callersWays.map { "careful: \(CallersWayText.line($0))\n" }.joined()
    text += request(space).map { "  \($0)\n" }.joined()
    if challenge.previousFailureCount > 0 {
      text += "the server refused what it was presented with before\n"
    }
    for (index, identity) in identities.enumerated() {
      text += "  \(index + 1)  \(IdentityLine.person(of: identity))\n"
    }
    return text
  }

  /// What the server accepts, a line each; empty for another kind of challenge.
  static func request(_ space: Sent.ProtectionSpace) -> [String] {
    guard space.authenticationMethod == "clientCertificate" else { return [] }
    let names = space.distinguishedNames ?? []
    let keys = (space.keyTypes ?? []).map { DisplayText.escaped($0) }
    var issuers = names.prefix(shownIssuers).map { DisplayText.escaped($0) }.joined(separator: "; ")
    if names.count > shownIssuers { issuers += "; and \(names.count - shownIssuers) more" }
    return [
      "issued by \(names.isEmpty ? "any authority" : issuers)",
      "with a key of the kind \(keys.isEmpty ? "none" : keys.joined(separator: ", "))",
    ]
  }

  static func prompt(_ count: Int) -> String {
    let number = count == 0 ? "" : count == 1 ? "1 [1], " : "1 to \(count) [1], "
    return "Present \(number)a file, a pkcs11: URI, none, or cancel: "
  }
}
