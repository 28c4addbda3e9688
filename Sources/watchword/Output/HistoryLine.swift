internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats an entry of the history for a person.
enum HistoryLine {
  static func text(of entry: Sent.HistoryEntry) -> String {
    var text = "\(entry.time) \(entry.outcome)"
    if let reason = entry.reason { text += " (\(reason))" }
    if let user = entry.user { text += " \(DisplayText.escaped(user))" }
    if let identity = entry.identity { text += " \(DisplayText.escaped(identity))" }
    if let origin = entry.origin { text += " at \(origin)" }
    if let method = entry.authenticationMethod { text += ", \(method)" }
    if let realm = entry.realm { text += " \"\(DisplayText.escaped(realm))\"" }
    if let field = entry.field { text += " \(DisplayText.escaped(field))" }
    if entry.isProxy { text += ", proxy" }
    if let process = entry.pid { text += ", for \(process)" }
    if !entry.asked.isEmpty { text += ", asked \(entry.asked.map { "\($0)" }.joined(separator: " "))" }
    if let process = entry.answeredBy { text += ", by \(process)" }
    text += ", session \(entry.session)"
    if entry.uses > 1 { text += ", \(entry.uses) times" }
    return text
  }
}
