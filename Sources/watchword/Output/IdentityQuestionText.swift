internal import WatchwordClient
internal import WatchwordJSON

/// The text of a question for a client certificate: the origin first, then what the server accepts, escaped.
enum IdentityQuestionText {
  /// The most authorities of a server that are listed.
  private static let shownIssuers = 8

  static func introduction(_ challenge: JSONValue, _ identities: [JSONValue]) -> String {
    let space = challenge["protectionSpace"] ?? .null
    let proxy = space["isProxy"]?.flag == true ? "proxy " : ""
    var text = "\(proxy)\(DisplayText.escaped(SpaceText.origin(of: space))) asks for a client certificate\n"
    text += request(space).map { "  \($0)\n" }.joined()
    if challenge["previousFailureCount"]?.integer ?? 0 > 0 {
      text += "the server refused what it was presented with before\n"
    }
    for (index, identity) in identities.enumerated() {
      text += "  \(index + 1)  \(IdentityLine.person(of: identity))\n"
    }
    return text
  }

  /// What the server accepts, a line each; empty for another kind of challenge.
  static func request(_ space: JSONValue) -> [String] {
    guard space["authenticationMethod"]?.text == "clientCertificate" else { return [] }
    let names = (space["distinguishedNames"]?.elements ?? []).compactMap(\.text)
    let keys = (space["keyTypes"]?.elements ?? []).compactMap(\.text).map { DisplayText.escaped($0) }
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
