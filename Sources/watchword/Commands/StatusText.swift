internal import WatchwordClient
internal import WatchwordJSON

/// The snapshot as a page for a person.
enum StatusText {
  static func of(_ snapshot: JSONValue, _ details: [SessionDetails]) -> String {
    var text = heading(snapshot)
    text += "\n" + sessions(snapshot, details)
    let challenges = snapshot["challenges"]?.elements ?? []
    if !challenges.isEmpty { text += "\npending challenges\n" + challenges.map(ChallengeText.brief).joined() }
    let counters = snapshot["counters"]?.members.filter { $0.value.integer != 0 } ?? []
    if !counters.isEmpty { text += "\ncounters\n" + rows(counters) }
    text += "\nlimits\n" + rows(snapshot["limits"]?.members ?? [])
    return text
  }

  private static func heading(_ snapshot: JSONValue) -> String {
    let version = DisplayText.escaped(snapshot["version"]?.text ?? "")
    let uptime = Quantity.seconds(snapshot["uptimeSeconds"]?.number ?? 0)
    let memory = Quantity.bytes(Int(clamping: snapshot["residentBytes"]?.integer ?? 0))
    return """
      watchwordd \(version), pid \(snapshot["pid"]?.integer ?? 0), up \(uptime), \(memory) of memory
      socket \(DisplayText.escaped(snapshot["socket"]?.text ?? ""))

      """
  }

  private static func sessions(_ snapshot: JSONValue, _ details: [SessionDetails]) -> String {
    let sessions = snapshot["sessions"]?.elements ?? []
    guard !sessions.isEmpty else { return "no sessions\n" }
    var text = SessionText.table(sessions)
    for detail in details where !detail.holders.isEmpty || !detail.credentials.isEmpty {
      text += "\n\(DisplayText.escaped(detail.session))\n"
      for holder in detail.holders { text += "  held by \(SessionText.process(holder))\n" }
      for credential in detail.credentials { text += "  \(CredentialLine.text(of: credential))\n" }
    }
    return text
  }

  private static func rows(_ members: [JSONObject.Member]) -> String {
    let width = members.map(\.name.count).max() ?? 0
    return members.map { member in
      let name = DisplayText.escaped(member.name)
      return
        "  \(name)\(String(repeating: " ", count: max(width - name.count, 0) + 2))\(JSONText.of(member.value))\n"
    }.joined()
  }
}
