internal import WatchwordMessages
internal import WatchwordVocabulary

/// Formats the snapshot as a page for a person.
enum StatusText {
  static func of(_ snapshot: Sent.StatusSnapshot) -> String {
    var text = heading(snapshot)
    text += "\n" + sessions(snapshot)
    let challenges = snapshot.challenges.compactMap(\.value)
    if !challenges.isEmpty { text += "\npending challenges\n" + challenges.map(ChallengeText.brief).joined() }
    if !snapshot.sources.isEmpty { text += "\nsources\n" + snapshot.sources.map(source).joined() }
    return text + "\n" + limits(of: snapshot)
  }

  /// Counters that are not 0, and the limits.
  static func limits(of snapshot: Sent.StatusSnapshot) -> String {
    let counters = snapshot.counters.filter { $0.value != 0 }.map { (name: $0.name, value: "\($0.value)") }
    return (counters.isEmpty ? "" : "counters\n" + rows(counters) + "\n") + "limits\n"
      + rows(limits(snapshot))
  }

  private static func heading(_ snapshot: Sent.StatusSnapshot) -> String {
    let version = DisplayText.escaped(snapshot.version)
    let uptime = Quantity.seconds(snapshot.uptimeSeconds)
    let memory = Quantity.bytes(snapshot.residentBytes)
    let counted = Quantity.bytes(snapshot.countedBytes)
    let lock = snapshot.locked ? "the agent is locked: watchword unlock\n" : ""
    return lock + """
      watchwordd \(version), pid \(snapshot.pid), up \(uptime), \(memory) of memory (\(counted) for callers)
      socket \(DisplayText.escaped(snapshot.socket))
      \(vault(snapshot.vault))

      """ + roots(snapshot.roots) + suspendLock(snapshot.suspendLock)
  }

  /// Nothing where it is off.
  private static func suspendLock(_ state: String) -> String {
    switch state {
    case "ready": "locks before the machine sleeps\n"
    case "connecting": "locks before the machine sleeps: waits for logind\n"
    case "noInhibitor": "locks when the machine sleeps, but logind does not wait for it\n"
    case "noLogind": "does not lock when the machine sleeps: no logind answers\n"
    case "noBus": "does not lock when the machine sleeps: no system bus\n"
    case "noLibrary": "does not lock when the machine sleeps: libsystemd is missing\n"
    default: ""
    }
  }

  private static func vault(_ vault: Sent.VaultStatus) -> String {
    let path = DisplayText.escaped(vault.path ?? "")
    switch vault.state {
    case "open":
      let rest =
        (vault.trust > 0 ? ", \(vault.trust) permanent decisions" : "")
        + (vault.identities > 0 ? ", \(vault.identities) permanent identities" : "")
        + (vault.unreadable > 0 ? ", \(vault.unreadable) records that do not open" : "")
      return "vault \(path), \(vault.credentials) permanent credentials\(rest)"
    case "locked":
      let reason = vault.reason.map { ": \(DisplayText.escaped($0))" } ?? ""
      return "vault \(path), locked\(reason)"
    case "forgotten": return "vault \(path), read again when it is needed"
    case "unavailable": return "vault unavailable: \(DisplayText.escaped(vault.reason ?? ""))"
    default: return "no vault yet"
    }
  }

  /// Nothing where there are none.
  private static func roots(_ roots: Sent.RootsStatus) -> String {
    if let reason = roots.reason {
      return "certificate authorities not used: \(DisplayText.escaped(reason))\n"
    }
    guard roots.count > 0 else { return "" }
    return "\(roots.count) certificate authorit\(roots.count == 1 ? "y" : "ies") beside the system's, "
      + "\(DisplayText.escaped(roots.path ?? ""))\n"
  }

  /// `  builds (oauth), token valid until 2026-11-22T12:00:00Z, last error: unreachable`.
  private static func source(_ source: Sent.SourceStatus) -> String {
    var text = "  \(DisplayText.escaped(source.source)) (\(DisplayText.escaped(source.kind)))"
    if let end = source.validUntil {
      text += ", token valid until \(DisplayText.escaped(end))"
    } else if source.token == true {
      text += ", token valid"
    }
    if source.awaitsPerson == true { text += ", waits until a person has entered a code" }
    if let fault = source.lastError { text += ", last error: \(DisplayText.escaped(fault))" }
    return text + "\n"
  }

  private static func sessions(_ snapshot: Sent.StatusSnapshot) -> String {
    let sessions = snapshot.sessions.compactMap(\.value)
    guard !sessions.isEmpty else { return "no sessions\n" }
    var text = SessionText.table(sessions.map { SessionText.Row($0) })
    for session in sessions {
      let holders = SessionText.others(among: session.holders)
      let refused = session.refusedSources.map(RefusedSourceLine.text)
      guard !holders.isEmpty || !session.credentials.isEmpty || !refused.isEmpty else { continue }
      text += "\n\(DisplayText.escaped(session.session))\n"
      for holder in holders { text += "  held by \(SessionText.process(holder.pid, holder.executable))\n" }
      for line in CredentialLine.texts(of: session.credentials.compactMap(\.value)) { text += "  \(line)\n" }
      for line in refused { text += "  \(line)\n" }
    }
    return text
  }

  /// Each limit, and its current use where that is counted.
  private static func limits(_ snapshot: Sent.StatusSnapshot) -> [(name: String, value: String)] {
    let used = Dictionary(snapshot.usage.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return snapshot.limits.map { name, value in
      (name, used[name].map { "\($0) of \(value) in use" } ?? "\(value)")
    }
  }

  private static func rows(_ rows: [(name: String, value: String)]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { row in
      let name = DisplayText.escaped(row.name)
      return "  \(name)\(String(repeating: " ", count: max(width - name.count, 0) + 2))\(row.value)\n"
    }.joined()
  }
}
