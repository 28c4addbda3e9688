internal import WatchwordClient
internal import WatchwordJSON

/// Formats an entry of the history for a person.
enum HistoryLine {
  static func text(of entry: JSONValue) -> String {
    var text = "\(entry["time"]?.text ?? "") \(entry["outcome"]?.text ?? "")"
    if let reason = entry["reason"]?.text { text += " (\(reason))" }
    if let user = entry["user"]?.text { text += " \(DisplayText.escaped(user))" }
    if let identity = entry["identity"]?.text { text += " \(DisplayText.escaped(identity))" }
    if let origin = entry["origin"]?.text { text += " at \(origin)" }
    if let method = entry["authenticationMethod"]?.text { text += ", \(method)" }
    if let realm = entry["realm"]?.text { text += " \"\(DisplayText.escaped(realm))\"" }
    if entry["isProxy"]?.flag == true { text += ", proxy" }
    if let process = entry["pid"]?.integer { text += ", for \(process)" }
    let asked = (entry["asked"]?.elements ?? []).compactMap(\.integer).map { "\($0)" }
    if !asked.isEmpty { text += ", asked \(asked.joined(separator: " "))" }
    if let process = entry["answeredBy"]?.integer { text += ", by \(process)" }
    text += ", session \(entry["session"]?.text ?? "")"
    if let uses = entry["uses"]?.integer, uses > 1 { text += ", \(uses) times" }
    return text
  }
}
