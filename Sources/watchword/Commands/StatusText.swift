internal import WatchwordClient
internal import WatchwordJSON

/// Formats the snapshot as a page for a person.
enum StatusText {
  static func of(_ snapshot: JSONValue) -> String {
    var text = heading(snapshot)
    text += "\n" + sessions(snapshot)
    let challenges = snapshot["challenges"]?.elements ?? []
    if !challenges.isEmpty { text += "\npending challenges\n" + challenges.map(ChallengeText.brief).joined() }
    let sources = snapshot["sources"]?.elements ?? []
    if !sources.isEmpty { text += "\nsources\n" + sources.map(source).joined() }
    let counters = snapshot["counters"]?.members.filter { $0.value.integer != 0 } ?? []
    if !counters.isEmpty { text += "\ncounters\n" + rows(counters) }
    text += "\nlimits\n" + limits(snapshot)
    return text
  }

  private static func heading(_ snapshot: JSONValue) -> String {
    let version = DisplayText.escaped(snapshot["version"]?.text ?? "")
    let uptime = Quantity.seconds(snapshot["uptimeSeconds"]?.number ?? 0)
    let memory = Quantity.bytes(Int(clamping: snapshot["residentBytes"]?.integer ?? 0))
    let lock = snapshot["locked"]?.flag == true ? "the agent is locked: watchword unlock\n" : ""
    return lock + """
      watchwordd \(version), pid \(snapshot["pid"]?.integer ?? 0), up \(uptime), \(memory) of memory
      socket \(DisplayText.escaped(snapshot["socket"]?.text ?? ""))
      \(vault(snapshot["vault"]))

      """ + suspendLock(snapshot["suspendLock"])
  }

  /// Nothing where it is off.
  private static func suspendLock(_ state: JSONValue?) -> String {
    switch state?.text {
    case "ready": "locks before the machine sleeps\n"
    case "connecting": "locks before the machine sleeps: waits for logind\n"
    case "noInhibitor": "locks when the machine sleeps, but logind does not wait for it\n"
    case "noLogind": "does not lock when the machine sleeps: no logind answers\n"
    case "noBus": "does not lock when the machine sleeps: no system bus\n"
    case "noLibrary": "does not lock when the machine sleeps: libsystemd is missing\n"
    default: ""
    }
  }

  private static func vault(_ vault: JSONValue?) -> String {
    let path = DisplayText.escaped(vault?["path"]?.text ?? "")
    switch vault?["state"]?.text {
    case "open":
      let decisions = vault?["trust"]?.integer ?? 0
      let identities = vault?["identities"]?.integer ?? 0
      let rest =
        (decisions > 0 ? ", \(decisions) permanent decisions" : "")
        + (identities > 0 ? ", \(identities) permanent identities" : "")
      return "vault \(path), \(vault?["credentials"]?.integer ?? 0) permanent credentials\(rest)"
    case "locked":
      let reason = vault?["reason"]?.text.map { ": \(DisplayText.escaped($0))" } ?? ""
      return "vault \(path), locked\(reason)"
    case "forgotten": return "vault \(path), read again when it is needed"
    case "unavailable": return "vault unavailable: \(DisplayText.escaped(vault?["reason"]?.text ?? ""))"
    default: return "no vault yet"
    }
  }

  /// `  builds (oauth), token valid until 2026-11-22T12:00:00Z, last error: unreachable`.
  private static func source(_ source: JSONValue) -> String {
    func member(_ name: String) -> String? { source[name]?.text.map { DisplayText.escaped($0) } }
    var text = "  \(member("source") ?? "") (\(member("kind") ?? ""))"
    if let end = member("validUntil") {
      text += ", token valid until \(end)"
    } else if source["token"]?.flag == true {
      text += ", token valid"
    }
    if source["awaitsPerson"]?.flag == true { text += ", waits until a person has entered a code" }
    if let fault = member("lastError") { text += ", last error: \(fault)" }
    return text + "\n"
  }

  private static func sessions(_ snapshot: JSONValue) -> String {
    let sessions = snapshot["sessions"]?.elements ?? []
    guard !sessions.isEmpty else { return "no sessions\n" }
    var text = SessionText.table(sessions)
    for session in sessions {
      let holders = SessionText.holders(of: session)
      let credentials = session["credentials"]?.elements ?? []
      guard !holders.isEmpty || !credentials.isEmpty else { continue }
      text += "\n\(DisplayText.escaped(session["session"]?.text ?? ""))\n"
      for holder in holders { text += "  held by \(SessionText.process(holder))\n" }
      for credential in credentials { text += "  \(CredentialLine.text(of: credential))\n" }
    }
    return text
  }

  /// Each limit, and its current use where that is counted.
  private static func limits(_ snapshot: JSONValue) -> String {
    let limits = snapshot["limits"]?.members ?? []
    return rows(
      limits.map { limit in
        guard let used = snapshot["usage"]?[limit.name]?.integer else { return limit }
        let text = "\(used) of \(JSONText.of(limit.value)) in use"
        return JSONObject.Member(name: limit.name, value: .string(text))
      })
  }

  private static func rows(_ members: [JSONObject.Member]) -> String {
    let width = members.map(\.name.count).max() ?? 0
    return members.map { member in
      let name = DisplayText.escaped(member.name)
      let value = member.value.text.map { DisplayText.escaped($0) } ?? JSONText.of(member.value)
      return "  \(name)\(String(repeating: " ", count: max(width - name.count, 0) + 2))\(value)\n"
    }.joined()
  }
}
