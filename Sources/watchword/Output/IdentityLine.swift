internal import WatchwordClient
internal import WatchwordJSON

/// A client certificate for a person: its id to remove it with, then whose it is.
enum IdentityLine {
  static func text(of identity: JSONValue) -> String {
    var text = "\(word("identity", of: identity))  \(word("subject", of: identity))"
    text += ", issued by \(word("issuer", of: identity)), good until \(word("notAfter", of: identity))"
    text += ", \(word("keyType", of: identity)) key"
    if identity["origin"]?.text != nil { text += ", for \(word("origin", of: identity)) only" }
    let uses = identity["uses"]?.integer ?? 0
    text += ", presented \(uses) time\(uses == 1 ? "" : "s")"
    if identity["lastUsed"]?.text != nil { text += ", last \(word("lastUsed", of: identity))" }
    return text
  }

  private static func word(_ member: String, of identity: JSONValue) -> String {
    DisplayText.escaped(identity[member]?.text ?? "")
  }
}
