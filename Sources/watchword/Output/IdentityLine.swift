internal import WatchwordClient
internal import WatchwordJSON

/// A client certificate for a person: its id to remove it with, then whose it is.
enum IdentityLine {
  static func text(of identity: JSONValue) -> String {
    var text = "\(word("identity", of: identity))  \(certificate(of: identity))"
    if identity["pkcs11"]?.text != nil { text += " in \(word("pkcs11", of: identity))" }
    if identity["origin"]?.text != nil { text += ", for \(word("origin", of: identity)) only" }
    let uses = identity["uses"]?.integer ?? 0
    text += ", presented \(uses) time\(uses == 1 ? "" : "s")"
    if identity["lastUsed"]?.text != nil { text += ", last \(word("lastUsed", of: identity))" }
    return text
  }

  /// The URI of its key to add it with, then whose it is.
  static func text(ofTokenCertificate element: JSONValue) -> String {
    "\(word("pkcs11", of: element))  \(certificate(of: element))"
  }

  private static func certificate(of element: JSONValue) -> String {
    var text = word("subject", of: element)
    text += ", issued by \(word("issuer", of: element)), good until \(word("notAfter", of: element))"
    return text + ", \(word("keyType", of: element)) key"
  }

  private static func word(_ member: String, of identity: JSONValue) -> String {
    DisplayText.escaped(identity[member]?.text ?? "")
  }
}
