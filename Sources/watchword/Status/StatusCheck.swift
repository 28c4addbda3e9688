internal import WatchwordMessages
internal import WatchwordPrimitives

/// What a monitor is told about a snapshot: one line, and whether all is well.
struct StatusCheck {
  let isGood: Bool
  let line: String

  init(_ snapshot: Sent.StatusSnapshot) {
    let problems = Self.problems(snapshot)
    isGood = problems.isEmpty
    let sessions = snapshot.sessions.compactMap(\.value)
    let asked = sessions.map(\.pendingChallenges).reduce(0, +)
    let counts = [
      Quantity.count(sessions.count, "session"), Quantity.count(sessions.map(\.tasks).reduce(0, +), "task"),
      asked == 0 ? "no challenge pending" : Quantity.count(asked, "challenge") + " pending",
    ]
    line =
      (isGood ? "ok: " : "\(problems.joined(separator: "; ")): ")
      + "watchwordd \(DisplayText.escaped(snapshot.version)), up \(Quantity.seconds(snapshot.uptimeSeconds)), "
      + counts.joined(separator: ", ")
  }

  /// What keeps fetches from what they need.
  private static func problems(_ snapshot: Sent.StatusSnapshot) -> [String] {
    var problems: [String] = []
    if snapshot.locked { problems.append("the agent is locked") }
    let reason = snapshot.vault.reason.map { " (\(DisplayText.escaped($0)))" } ?? ""
    switch snapshot.vault.state {
    case "locked": problems.append("the vault is locked\(reason)")
    case "unavailable": problems.append("the vault is unavailable\(reason)")
    default: break
    }
    if snapshot.vault.unreadable > 0 {
      problems.append("\(Quantity.count(snapshot.vault.unreadable, "record")) of the vault cannot be opened")
    }
    for source in snapshot.sources {
      guard let fault = source.lastError else { continue }
      problems.append("source \(DisplayText.escaped(source.source)): \(DisplayText.escaped(fault))")
    }
    return problems
  }
}
