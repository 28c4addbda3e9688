internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats a stored credential for a person: user, space, uses. The daemon never sends the secret.
enum CredentialLine {
  static func text(of credential: Sent.StoredCredential) -> String {
    let user = credential.user.map { DisplayText.escaped($0) } ?? credential.kind
    var text = "\(user) at \(SpaceText.text(of: credential.protectionSpace)), \(credential.persistence)"
    if let prefixes = credential.limits.pathPrefixes {
      text += ", below \(prefixes.map { DisplayText.escaped($0) }.joined(separator: " and "))"
    }
    let uses = credential.uses
    text += ", used \(uses) time\(uses == 1 ? "" : "s")"
    if let last = credential.lastUsed { text += ", last \(DisplayText.escaped(last))" }
    if let left = credential.secondsLeft { text += ", \(Quantity.seconds(left)) left" }
    if credential.readable { text += ", readable" }
    if let prefix = credential.prefix { text += ", prefix \(DisplayText.quoted(prefix))" }
    if credential.preemptive { text += ", sent with the first request" }
    if credential.isDefault { text += ", default" }
    return text
  }
}
