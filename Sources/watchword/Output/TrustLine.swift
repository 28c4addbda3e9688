internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats a decision about a server's certificates for a person: the id to remove it with, then the origin.
enum TrustLine {
  static func text(of decision: Sent.TrustDecision) -> String {
    var text = "\(DisplayText.escaped(decision.trust))  \(DisplayText.escaped(decision.origin))"
    text +=
      decision.scope == "publicKey"
      ? " by its key \(DisplayText.escaped(decision.publicKey))" : " by its certificate"
    text += ", \(DisplayText.escaped(decision.subject)), \(DisplayText.escaped(decision.persistence))"
    text += ", used \(decision.uses) time\(decision.uses == 1 ? "" : "s")"
    if let last = decision.lastUsed { text += ", last \(DisplayText.escaped(last))" }
    let excused = TrustReasonText.sentences(decision.excused)
    return text + (excused.isEmpty ? "" : "; excused: \(excused.joined(separator: ", "))")
  }
}
