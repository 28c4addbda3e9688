internal import WatchwordClient
internal import WatchwordJSON

/// Formats a client certificate for a person: the id to remove it with, then its subject.
enum IdentityLine {
  static func text(of identity: JSONValue) -> String {
    var text = "\(word("identity", of: identity))  \(person(of: identity))"
    if identity["pkcs11"]?.text != nil { text += " in \(word("pkcs11", of: identity))" }
    if identity["origin"]?.text != nil { text += ", for \(word("origin", of: identity)) only" }
    if identity["persistence"]?.text == "permanent" { text += ", permanent" }
    let uses = identity["uses"]?.integer ?? 0
    text += ", presented \(uses) time\(uses == 1 ? "" : "s")"
    if identity["lastUsed"]?.text != nil { text += ", last \(word("lastUsed", of: identity))" }
    if let left = identity["secondsLeft"]?.number { text += ", \(Quantity.seconds(left)) left" }
    return text
  }

  /// The URI of its key to add it with, then its subject.
  static func text(ofTokenCertificate element: JSONValue) -> String {
    "\(word("pkcs11", of: element))  \(person(of: element))"
  }

  /// Its subject, issuer and expiry.
  static func person(of identity: JSONValue) -> String {
    "\(word("subject", of: identity)), issued by \(word("issuer", of: identity)), "
      + "good until \(word("notAfter", of: identity)), \(word("keyType", of: identity)) key"
  }

  private static func word(_ member: String, of identity: JSONValue) -> String {
    DisplayText.escaped(identity[member]?.text ?? "")
  }
}
