internal import WatchwordMessages

/// Formats the snapshot in the OpenMetrics text format, version 1.0.
enum OpenMetrics {
  static func text(of snapshot: Sent.StatusSnapshot) -> String {
    var text = ""
    for counter in snapshot.counters {
      let name = self.name(counter.name)
      text += "# TYPE \(name) counter\n\(name)_total \(counter.value)\n"
    }
    text += gauge("uptime_seconds", snapshot.uptimeSeconds)
    text += gauge("resident_bytes", Double(snapshot.residentBytes))
    text += gauge("counted_bytes", Double(snapshot.countedBytes))
    let sessions = snapshot.sessions.compactMap(\.value).map { (uid: $0.uid, row: SessionText.Row($0)) }
    text += gauge("pending_challenges", Double(sessions.reduce(0) { $0 + $1.row.pendingChallenges }))
    for (member, count) in counts {
      let name = self.name("session.\(member)")
      text += "# TYPE \(name) gauge\n"
      for (uid, row) in sessions {
        text += "\(name){session=\"\(quoted(row.session))\",uid=\"\(uid)\"} \(count(row))\n"
      }
    }
    for limit in snapshot.limits { text += gauge("limit.\(limit.name)", Double(limit.value)) }
    for used in snapshot.usage { text += gauge("usage.\(used.name)", Double(used.value)) }
    return text + "# EOF\n"
  }

  /// Of each session.
  private static let counts: [(member: String, count: @Sendable (SessionText.Row) -> Int)] = [
    ("holders", { $0.holders }), ("tasks", { $0.tasks }), ("credentials", { $0.credentials }),
    ("trust", { $0.trust }), ("identities", { $0.identities }), ("connections", { $0.connections }),
    ("pendingChallenges", { $0.pendingChallenges }),
  ]

  private static func gauge(_ name: String, _ value: Double) -> String {
    let name = self.name(name)
    return "# TYPE \(name) gauge\n\(name) \(value)\n"
  }

  /// `watchword_` and snake case: `challenges.raised`, `messageBytes`.
  private static func name(_ name: String) -> String {
    var result = "watchword_"
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
  private static func quoted(_ text: String) -> String {
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
