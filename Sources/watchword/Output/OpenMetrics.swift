internal import WatchwordMessages

/// Formats the snapshot in the OpenMetrics text format, version 1.0.
///
/// Sessions are summed up for each uid, so that the number of series does not grow with the names that
/// callers choose.
struct OpenMetrics {
  private static let counts: [(name: String, help: String, count: @Sendable (SessionText.Row) -> Int)] = [
    ("holders", "Connections that hold sessions.", { $0.holders }),
    ("tasks", "Running tasks.", { $0.tasks }),
    ("credentials", "Credentials of sessions.", { $0.credentials }),
    ("trust", "Trust decisions of sessions.", { $0.trust }),
    ("identities", "Client identities of sessions.", { $0.identities }),
    ("connections", "Open connections to servers and proxies.", { $0.connections }),
    ("pending_challenges", "Challenges that wait for a reply.", { $0.pendingChallenges }),
  ]

  /// Counters of which there is one for each word: the label that has the word, and what is counted.
  private static let families = [
    ("challenges.raised.", "method", "Challenges by authentication method."),
    ("challenges.answered.", "disposition", "Replies to challenges by disposition."),
    ("challenges.settled.", "outcome", "Challenges that have ended, by outcome."),
    ("fetches.responses.", "class", "Tasks with a response, by class of status."),
  ]

  private var text = ""

  /// - Parameter isBySession: a series for each session, too, with its name as a label.
  static func text(of snapshot: Sent.StatusSnapshot, isBySession: Bool) -> String {
    var metrics = OpenMetrics()
    metrics.addCounters(of: snapshot)
    metrics.add("task_seconds", "How long tasks took.", snapshot.taskSeconds)
    metrics.add("reply_seconds", "How long challenges waited for a reply.", snapshot.replySeconds)
    metrics.gauge("uptime_seconds", "Time since the daemon started.", snapshot.uptimeSeconds)
    metrics.gauge("resident_bytes", "The daemon's memory.", Double(snapshot.residentBytes))
    metrics.gauge("counted_bytes", "Of that, what is kept for callers.", Double(snapshot.countedBytes))
    metrics.gauge(
      "oldest_challenge_seconds", "How long the oldest challenge has waited for a reply; 0 without one.",
      snapshot.oldestChallengeSeconds ?? 0)
    metrics.addSessions(snapshot.sessions.compactMap(\.value), isBySession)
    metrics.add("limit", "The daemon's limits.", snapshot.limits)
    metrics.add("usage", "How much of a limit is in use.", snapshot.usage)
    return metrics.text + "# EOF\n"
  }

  // MARK: Families

  private mutating func addCounters(of snapshot: Sent.StatusSnapshot) {
    var rest = snapshot.counters
    for (prefix, label, help) in OpenMetrics.families {
      let name = "\(OpenMetrics.snakeCase(String(prefix.dropLast())))_by_\(label)"
      begin(name, "counter", help)
      for counter in rest where counter.name.hasPrefix(prefix) {
        add("\(name)_total", [(label, String(counter.name.dropFirst(prefix.count)))], "\(counter.value)")
      }
      rest.removeAll { $0.name.hasPrefix(prefix) }
    }
    for counter in rest {
      let name = OpenMetrics.snakeCase(counter.name)
      begin(name, "counter", CounterHelp.texts[counter.name])
      add("\(name)_total", [], "\(counter.value)")
    }
  }

  private mutating func addSessions(_ sessions: [Sent.SessionStatus], _ isBySession: Bool) {
    let byUID = Dictionary(grouping: sessions, by: \.uid).sorted { $0.key < $1.key }
    begin("sessions", "gauge", "Sessions.")
    for (uid, sessions) in byUID { add("sessions", [("uid", "\(uid)")], "\(sessions.count)") }
    for (name, help, count) in OpenMetrics.counts {
      begin("sessions_\(name)", "gauge", help)
      for (uid, sessions) in byUID {
        let sum = sessions.reduce(0) { $0 + count(SessionText.Row($1)) }
        add("sessions_\(name)", [("uid", "\(uid)")], "\(sum)")
      }
      guard isBySession else { continue }
      begin("session_\(name)", "gauge", help)
      for session in sessions {
        let row = SessionText.Row(session)
        add("session_\(name)", [("session", row.session), ("uid", "\(session.uid)")], "\(count(row))")
      }
    }
  }

  private mutating func add(_ name: String, _ help: String, _ histogram: Sent.Histogram) {
    begin(name, "histogram", help)
    var count = 0
    let bounds = histogram.bounds.map { "\($0)" } + ["+Inf"]
    for (bound, more) in zip(bounds, histogram.counts) {
      count += more
      add("\(name)_bucket", [("le", bound)], "\(count)")
    }
    add("\(name)_sum", [], "\(histogram.sum)")
    add("\(name)_count", [], "\(count)")
  }

  private mutating func add(_ name: String, _ help: String, _ values: [(name: String, value: Int)]) {
    begin(name, "gauge", help)
    for value in values { add(name, [("limit", OpenMetrics.snakeCase(value.name))], "\(value.value)") }
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    begin(name, "gauge", help)
    add(name, [], "\(value)")
  }

  // MARK: Lines

  private mutating func begin(_ name: String, _ type: String, _ help: String?) {
    let name = "watchword_\(name)"
    text += "# TYPE \(name) \(type)\n"
    if name.hasSuffix("_seconds") { text += "# UNIT \(name) seconds\n" }
    if name.hasSuffix("_bytes") { text += "# UNIT \(name) bytes\n" }
    if let help { text += "# HELP \(name) \(OpenMetrics.escaped(help))\n" }
  }

  private mutating func add(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
    let told = labels.map { "\($0.name)=\"\(OpenMetrics.escaped($0.value))\"" }.joined(separator: ",")
    text += "watchword_\(name)\(told.isEmpty ? "" : "{\(told)}") \(value)\n"
  }

  /// `challenges.raised` is `challenges_raised`, `messageBytes` is `message_bytes`.
  private static func snakeCase(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "A"..."Z":
        result += "_"
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
      case "a"..."z", "0"..."9", "_": result.unicodeScalars.append(scalar)
      default: result += "_"
      }
    }
    return result
  }

  /// By scalars: of CR LF, which is one character, the second begins a line as well.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
