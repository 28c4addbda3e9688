internal import WatchwordClient
internal import WatchwordJSON

/// Formats a stored credential for a person: user, space, uses. The daemon never sends the secret.
enum CredentialLine {
  static func text(of credential: JSONValue) -> String {
    let space = credential["protectionSpace"] ?? .null
    let user = credential["user"]?.text.map { DisplayText.escaped($0) } ?? credential["kind"]?.text ?? ""
    var text = "\(user) at \(SpaceText.text(of: space)), \(credential["persistence"]?.text ?? "")"
    let uses = credential["uses"]?.integer ?? 0
    text += ", used \(uses) time\(uses == 1 ? "" : "s")"
    if let last = credential["lastUsed"]?.text { text += ", last \(DisplayText.escaped(last))" }
    if let left = credential["secondsLeft"]?.number { text += ", \(Quantity.seconds(left)) left" }
    if credential["readable"]?.flag == true { text += ", readable" }
    if credential["isDefault"]?.flag == true { text += ", default" }
    return text
  }
}
