internal import WatchwordMessages
internal import WatchwordVocabulary

/// What a server offered that cannot be answered, and why, as the daemon says it.
struct UnusableOfferTexts {
  private let listed: [Sent.UnusableOffer]
  private let count: Int
  /// Whether the response has a field that could hold offers.
  private let hasField: Bool

  init(_ listed: [Sent.UnusableOffer], of count: Int?) {
    self.listed = listed
    self.count = count ?? listed.count
    hasField = true
  }

  /// Of a refusal.
  init(_ result: Sent.FetchResult) {
    let field = result.status == 407 ? "proxy-authenticate" : "www-authenticate"
    listed = result.unusableOffers
    count = result.unusableOfferCount ?? listed.count
    hasField = result.loginPage == true || result.headers.contains { $0.name.asciiLowercased == field }
  }

  /// Whether no offer could have raised a question.
  var areForeign: Bool {
    !hasField || (!listed.isEmpty && listed.allSatisfy { $0.reason != "disabled" && $0.reason != "tooMany" })
  }

  /// Each of them, and how many more there are.
  var texts: [String] {
    let more = count - listed.count
    return listed.map { "\(Self.name($0)): \(Self.text($0.reason))" } + (more > 0 ? ["\(more) more"] : [])
  }

  /// Whether only a token could have answered.
  var areForTokens: Bool { !listed.isEmpty && listed.allSatisfy { $0.scheme.asciiLowercased == "bearer" } }

  var text: String {
    guard hasField else { return "the server wants a credential and does not say which kind" }
    guard !listed.isEmpty else { return "the server wants a credential and nobody was asked for it" }
    return "the server wants a credential and nothing it offers can be answered: "
      + texts.joined(separator: ", ")
  }

  /// - Parameter isLimited: whether options of the command have excluded methods.
  func hint(isLimited: Bool) -> String {
    if !hasField { return "its response has no WWW-Authenticate field that can be read" }
    if listed.contains(where: { $0.reason == "disabled" }) {
      return isLimited
        ? "without the option that names a method, what the server offers is answered"
        : "methods.disabled of the session turns methods off (watchword sessions describe)"
    }
    if listed.contains(where: { $0.reason == "missingField" }) {
      return "compare the page (--deliver-401) with the session's forms (watchword sessions describe)"
    }
    if areForeign { return "this version answers negotiate, bearer, digest, ntlm and basic" }
    return "what it offers has been declined already, or only the strongest offer counts"
  }

  private static func name(_ offer: Sent.UnusableOffer) -> String {
    offer.scheme.isEmpty ? "a challenge without a name" : DisplayText.escaped(offer.scheme)
  }

  private static func text(_ reason: String) -> String {
    switch reason {
    case "unknownMethod": "unknown method"
    case "disabled": "not in use here"
    case "malformed": "malformed"
    case "unclosedQuote": "a quote is not closed"
    case "repeatedParameter": "a parameter twice"
    case "unexpectedToken": "a token in place of parameters"
    case "missingRealm": "no realm"
    case "missingNonce": "no nonce"
    case "nonceTooLong": "the nonce is too long"
    case "unknownAlgorithm": "unknown algorithm"
    case "unknownQop": "unknown qop"
    case "tooMany": "beyond the number that is read"
    case "missingField": "no form on the page has both fields of the rule"
    default: DisplayText.escaped(reason)
    }
  }
}

/// Why a credential does not count for a request, for a person.
enum PassedOverText {
  static func reason(of credential: Sent.ExplainedCredential) -> String {
    switch credential.reason {
    case "limits": "its limits do not allow this URL or method"
    case "callersWay":
      "not given over these roots, addresses, proxies or accepted certificates, or to this Host"
    case "refused": "it was refused here; watchword credentials retry sends it once more"
    default: "it does not count here"
    }
  }
}
