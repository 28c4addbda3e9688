internal import WatchwordMessages
internal import WatchwordPrimitives

/// What a person is shown of a client certificate, stored or in a token.
protocol ShownCertificate {
  var subject: String { get }
  var issuer: String { get }
  var notAfter: String { get }
  var keyType: String { get }
}

extension Sent.Identity: ShownCertificate {}
extension Sent.TokenCertificate: ShownCertificate {}

/// Formats a client certificate for a person: the id to remove it with, then its subject.
enum IdentityLine {
  static func text(of identity: Sent.Identity) -> String {
    var text = "\(DisplayText.escaped(identity.identity))  \(person(of: identity))"
    if let uri = identity.pkcs11 { text += " in \(DisplayText.escaped(uri))" }
    if let origin = identity.origin { text += ", for \(DisplayText.escaped(origin)) only" }
    if identity.persistence == "permanent" { text += ", permanent" }
    text += ", presented \(identity.uses) time\(identity.uses == 1 ? "" : "s")"
    if let last = identity.lastUsed { text += ", last \(DisplayText.escaped(last))" }
    if let left = identity.secondsLeft { text += ", \(Quantity.seconds(left)) left" }
    return text
  }

  /// The URI of its key to add it with, then its subject.
  static func text(ofTokenCertificate element: Sent.TokenCertificate) -> String {
    "\(DisplayText.escaped(element.pkcs11))  \(person(of: element))"
  }

  /// Its subject, issuer and expiry.
  static func person(of identity: some ShownCertificate) -> String {
    let words = [identity.subject, identity.issuer, identity.notAfter, identity.keyType].map {
      DisplayText.escaped($0)
    }
    return "\(words[0]), issued by \(words[1]), good until \(words[2]), \(words[3]) key"
  }
}
