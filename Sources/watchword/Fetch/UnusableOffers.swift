internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Why a 401 was delivered without a question: what the server offered, and why it was unusable.
///
/// The daemon decides what can be answered; this only explains the fields to a person.
struct UnusableOffers {
  /// The schemes that this version can answer.
  private static let answerable: Set<String> = ["basic", "digest", "bearer", "negotiate", "ntlm"]

  private let names: [String]

  init(_ response: ResponseHead) {
    let field = response.status == 407 ? "proxy-authenticate" : "www-authenticate"
    var names: [String] = []
    for offer in response.fields where offer.name.asciiLowercased == field {
      for scheme in Self.schemes(in: offer.value) where !names.contains(scheme) { names.append(scheme) }
    }
    self.names = names
  }

  /// Whether no offer could have raised a question.
  var areForeign: Bool { Self.answerable.isDisjoint(with: names.map { $0.asciiLowercased }) }

  /// Whether only a token could have answered.
  var areForTokens: Bool { names.map { $0.asciiLowercased } == ["bearer"] }

  var text: String {
    guard !names.isEmpty else { return "the server wants a credential and does not say which kind" }
    let list = names.map { DisplayText.escaped($0) }.joined(separator: ", ")
    return "the server wants a credential and nothing it offers can be answered: \(list)"
  }

  var hint: String {
    if names.isEmpty { return "its response has no WWW-Authenticate field that can be read" }
    if areForeign { return "this version answers negotiate, bearer, digest, ntlm and basic" }
    return
      "the session may have it disabled, its challenge may be malformed, or it has been declined already"
  }

  /// The schemes of a field: the words that begin a challenge, which no `=` follows.
  ///
  /// Quoted strings are skipped. A `token68` after a scheme is not a scheme.
  private static func schemes(in value: String) -> [String] {
    var found: [String] = []
    var piece = ""
    var isQuoted = false
    var isEscaped = false
    for character in value + "," {
      if isQuoted {
        isQuoted = isEscaped || character != "\""
        isEscaped = character == "\\" && !isEscaped
      } else if character == "\"" {
        isQuoted = true
      } else if character == "," {
        let words = piece.split(whereSeparator: { $0 == " " || $0 == "\t" })
        if let first = words.first, !first.contains("="), words.count < 2 || !words[1].hasPrefix("=") {
          found.append(String(first))
        }
        piece = ""
      } else {
        piece.append(character)
      }
    }
    return found
  }
}
