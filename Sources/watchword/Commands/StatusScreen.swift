internal import WatchwordMessages
internal import WatchwordPrimitives

/// The snapshot on one screen of 80 columns and 24 rows, with what waits for a person first.
enum StatusScreen {
  private static let columns = 80
  /// The last one is the prompt's.
  private static let rows = 23
  private static let mostChallenges = 4
  private static let mostSessions = 10
  private static let longestName = 28

  static func text(of snapshot: Sent.StatusSnapshot) -> String {
    let sessions = snapshot.sessions.compactMap(\.value)
    let top = heading(snapshot) + challenges(snapshot, sessions)
    let bottom = totals(snapshot, sessions)
    // The titles, and how many more there are.
    let room = rows - top.count - bottom.count - 2
    let lines = top + (sessions.isEmpty ? ["no sessions"] : table(sessions, room: room)) + bottom
    return lines.map { fitted($0) + "\n" }.joined()
  }

  private static func heading(_ snapshot: Sent.StatusSnapshot) -> [String] {
    let version = DisplayText.escaped(snapshot.version)
    var lines = [
      "watchwordd \(version), pid \(snapshot.pid), up \(Quantity.seconds(snapshot.uptimeSeconds)), "
        + "\(Quantity.bytes(snapshot.residentBytes)) of memory"
    ]
    if snapshot.locked { lines.append("the agent is locked: watchword unlock") }
    let reason = snapshot.vault.reason.map { ": \(DisplayText.escaped($0))" } ?? ""
    switch snapshot.vault.state {
    case "locked": lines.append("the vault is locked\(reason.isEmpty ? ": watchword unlock" : reason)")
    case "unavailable": lines.append("the vault is unavailable\(reason)")
    default: break
    }
    let unreadable = snapshot.vault.unreadable
    if unreadable > 0 {
      lines.append(
        "\(Quantity.count(unreadable, "record")) of the vault cannot be opened: watchword vault check")
    }
    for source in snapshot.sources.filter({ $0.lastError != nil || $0.awaitsPerson == true }).prefix(2) {
      let state =
        source.lastError.map { DisplayText.escaped($0) } ?? "waits until a person has entered a code"
      lines.append("source \(DisplayText.escaped(source.source)): \(state)")
    }
    return lines + [""]
  }

  /// Two lines each: what is asked, and who waits.
  private static func challenges(
    _ snapshot: Sent.StatusSnapshot, _ sessions: [Sent.SessionStatus]
  ) -> [String] {
    let shown = snapshot.challenges.compactMap(\.value)
    let count = max(shown.count, sessions.map(\.pendingChallenges).reduce(0, +))
    guard count > 0 else { return [] }
    var lines = ["\(Quantity.count(count, "challenge")) pending: watchword answer"]
    for challenge in shown.prefix(mostChallenges) {
      lines.append(ChallengeText.line(challenge))
      let waiter = challenge.waiters.first.map { SessionText.process($0.pid ?? 0, $0.executable) }
      let others = challenge.waiterCount - 1
      lines.append(
        "  session \(DisplayText.escaped(challenge.session)), \(waiter ?? "nobody") waits"
          + (others > 0 ? " and \(others) more" : "") + ", until \(DisplayText.escaped(challenge.deadline))")
    }
    let more = count - min(shown.count, mostChallenges)
    if more > 0 { lines.append("  and \(more) more: watchword challenges") }
    return lines + [""]
  }

  private static func table(_ sessions: [Sent.SessionStatus], room: Int) -> [String] {
    let busiest = sessions.sorted { isBusier($0, $1) }.prefix(max(3, min(mostSessions, room)))
    var table = Table(["session", "state", "tasks", "credentials", "connections", "holders"])
    for session in busiest {
      let state = session.pendingChallenges > 0 ? "asks" : session.tasks > 0 ? "busy" : "idle"
      let counts = [
        session.tasks, session.credentials.count, session.connections,
        SessionText.others(among: session.holders).count,
      ]
      table.add([name(session), state] + counts.map { "\($0)" })
    }
    let more = sessions.count - busiest.count
    return table.text.split(separator: "\n").map(String.init)
      + (more > 0 ? ["and \(more) more: watchword status --all"] : [])
  }

  private static func isBusier(_ one: Sent.SessionStatus, _ other: Sent.SessionStatus) -> Bool {
    for count in [\Sent.SessionStatus.pendingChallenges, \.tasks, \.connections] {
      if one[keyPath: count] != other[keyPath: count] { return one[keyPath: count] > other[keyPath: count] }
    }
    return one.session < other.session
  }

  private static func name(_ session: Sent.SessionStatus) -> String {
    let name = DisplayText.escaped(session.session)
    let short = name.count > longestName ? name.prefix(longestName - 1) + "…" : name[...]
    return session.named ? String(short) : "\(short) (private)"
  }

  private static func totals(
    _ snapshot: Sent.StatusSnapshot, _ sessions: [Sent.SessionStatus]
  ) -> [String] {
    guard !sessions.isEmpty else { return [] }
    let fetches = snapshot.counters.first { $0.name == "fetches.started" }?.value ?? 0
    let sums = [
      Quantity.count(sessions.count, "session"), Quantity.count(sessions.map(\.tasks).reduce(0, +), "task"),
      Quantity.count(sessions.map(\.credentials.count).reduce(0, +), "credential"),
      Quantity.count(sessions.map(\.connections).reduce(0, +), "connection"),
      Quantity.count(fetches, "fetch", plural: "fetches"),
    ]
    return ["", sums.joined(separator: ", ")]
  }

  private static func fitted(_ line: String) -> String {
    line.count > columns ? line.prefix(columns - 1) + "…" : line
  }
}
