internal import WatchwordClient
internal import WatchwordJSON

/// Formats the snapshot in the OpenMetrics text format, version 1.0.
enum OpenMetrics {
  static func text(of snapshot: JSONValue) -> String {
    var text = ""
    for counter in snapshot["counters"]?.members ?? [] {
      let name = self.name(counter.name)
      text += "# TYPE \(name) counter\n\(name)_total \(counter.value.integer ?? 0)\n"
    }
    text += gauge("uptime_seconds", snapshot["uptimeSeconds"]?.number ?? 0)
    text += gauge("resident_bytes", Double(snapshot["residentBytes"]?.integer ?? 0))
    let sessions = snapshot["sessions"]?.elements ?? []
    let pending = sessions.reduce(0) { $0 + ($1["pendingChallenges"]?.integer ?? 0) }
    text += gauge("pending_challenges", Double(pending))
    for member in [
      "holders", "tasks", "credentials", "trust", "identities", "connections", "pendingChallenges",
    ] {
      let name = self.name("session.\(member)")
      text += "# TYPE \(name) gauge\n"
      for session in sessions {
        let label = quoted(session["session"]?.text ?? "")
        let uid = session["uid"]?.integer ?? 0
        text += "\(name){session=\"\(label)\",uid=\"\(uid)\"} \(SessionText.count(of: member, in: session))\n"
      }
    }
    for limit in snapshot["limits"]?.members ?? [] {
      text += gauge("limit.\(limit.name)", limit.value.number ?? 0)
    }
    for used in snapshot["usage"]?.members ?? [] {
      text += gauge("usage.\(used.name)", used.value.number ?? 0)
    }
    return text + "# EOF\n"
  }

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

  private static func quoted(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
    return result
  }
}
