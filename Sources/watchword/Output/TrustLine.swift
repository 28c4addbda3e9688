internal import WatchwordClient
internal import WatchwordJSON

/// Formats a decision about a server's certificates for a person: the id to remove it with, then the origin.
enum TrustLine {
  static func text(of decision: JSONValue) -> String {
    let isByKey = decision["scope"]?.text == "publicKey"
    var text = "\(word("trust", of: decision))  \(word("origin", of: decision))"
    text += isByKey ? " by its key \(word("publicKey", of: decision))" : " by its certificate"
    text += ", \(word("subject", of: decision)), \(word("persistence", of: decision))"
    let uses = decision["uses"]?.integer ?? 0
    text += ", used \(uses) time\(uses == 1 ? "" : "s")"
    if decision["lastUsed"]?.text != nil { text += ", last \(word("lastUsed", of: decision))" }
    let excused = TrustReasonText.sentences(decision["excused"])
    return text + (excused.isEmpty ? "" : "; excused: \(excused.joined(separator: ", "))")
  }

  private static func word(_ member: String, of decision: JSONValue) -> String {
    DisplayText.escaped(decision[member]?.text ?? "")
  }
}
