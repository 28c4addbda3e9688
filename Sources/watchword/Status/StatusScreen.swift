internal import WatchwordMessages
internal import WatchwordVocabulary

/// The snapshot on one screen of 80 columns and 24 rows, with what waits for a person first.
enum StatusScreen {
  private static let columns = 80
  /// The last one is the prompt's.
  private static let rows = 23
  private static let mostSessions = 10

  static func text(of snapshot: Sent.StatusSnapshot) -> String {
    let parts = StatusParts(snapshot)
    let top = parts.heading() + parts.challenges(reply: "watchword answer")
    let bottom = parts.totals
    // The titles, and how many more there are.
    let room = max(3, min(mostSessions, rows - top.count - bottom.count - 2))
    let busiest = Array(parts.sessions(by: .busiest).prefix(room))
    let more = parts.sessions.count - busiest.count
    let table =
      busiest.isEmpty
      ? ["no sessions"]
      : parts.table(busiest) + (more > 0 ? ["and \(more) more: watchword status --all"] : [])
    return (top + table + bottom).map { ScreenWidth.fitted($0, columns) + "\n" }.joined()
  }
}

/// What a screen shows of a snapshot, in lines.
struct StatusParts {
  /// In which order sessions are shown.
  enum Order: String, CaseIterable {
    case busiest
    case name
    case credentials
    case connections
  }

  static let mostChallenges = 4

  let sessions: [Sent.SessionStatus]
  private let snapshot: Sent.StatusSnapshot

  init(_ snapshot: Sent.StatusSnapshot) {
    self.snapshot = snapshot
    sessions = snapshot.sessions.compactMap(\.value)
  }

  /// - Parameter seconds: since the snapshot came.
  func heading(after seconds: Double = 0) -> [String] {
    let version = DisplayText.escaped(snapshot.version)
    let uptime = Quantity.seconds(snapshot.uptimeSeconds + seconds)
    var lines = [
      "watchwordd \(version), pid \(snapshot.pid), up \(uptime), "
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
  ///
  /// - Parameters:
  ///   - reply: how to answer them.
  ///   - most: so many, and no more than ``mostChallenges``.
  ///   - seconds: since the snapshot came.
  func challenges(reply: String, atMost most: Int = mostChallenges, after seconds: Double = 0) -> [String] {
    let shown = snapshot.challenges.compactMap(\.value)
    let most = min(most, Self.mostChallenges)
    let count = max(shown.count, sessions.map(\.pendingChallenges).reduce(0, +))
    guard count > 0 else { return [] }
    var lines = ["\(Quantity.count(count, "challenge")) pending: \(reply)"]
    for challenge in shown.prefix(most) {
      lines.append(ChallengeText.line(challenge))
      lines.append("  " + waiting(challenge, after: seconds))
    }
    let more = count - min(shown.count, most)
    if more > 0 { lines.append("  and \(more) more: watchword challenges") }
    return lines + [""]
  }

  /// Who waits and since when, and who is asked if that is somebody else.
  private func waiting(_ challenge: Sent.Challenge, after seconds: Double) -> String {
    let waiter = challenge.waiters.first
    let others = challenge.waiterCount - 1
    var text = "session \(DisplayText.escaped(challenge.session)), "
    text += "\(waiter.map(SessionText.process(of:)) ?? "nobody") waits"
    if others > 0 { text += " and \(others) more" }
    text += ", for \(Quantity.seconds(challenge.waitedSeconds + seconds))"
    guard let asked = challenge.asked.last else { return text + ", nobody is asked" }
    return asked == waiter?.pid ? text : text + ", pid \(asked) is asked"
  }

  func sessions(by order: Order) -> [Sent.SessionStatus] {
    switch order {
    case .busiest: sorted(by: [\.pendingChallenges, \.tasks, \.connections])
    case .name: sorted(by: [])
    case .credentials: sorted(by: [\.credentials.count])
    case .connections: sorted(by: [\.connections])
    }
  }

  /// The largest first; those that are equal by their names.
  private func sorted(by counts: [KeyPath<Sent.SessionStatus, Int>]) -> [Sent.SessionStatus] {
    sessions.sorted { one, other in
      for count in counts where one[keyPath: count] != other[keyPath: count] {
        return one[keyPath: count] > other[keyPath: count]
      }
      return one.session < other.session
    }
  }

  /// The titles, and a line for each.
  func table(_ sessions: [Sent.SessionStatus]) -> [String] {
    SessionText.shortTable(sessions.map { SessionText.Row($0) }).split(separator: "\n").map(String.init)
  }

  var totals: [String] {
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
}
