package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// As `credential/history` and `status` show it.
extension HistoryEntry {
  private var isOfKey: Bool { authenticationMethod == .key }

  package var sent: Sent.HistoryEntry {
    Sent.HistoryEntry(
      time: Timestamp.text(time), outcome: outcome.rawValue, session: session, origin: origin?.description,
      authenticationMethod: authenticationMethod?.rawValue, realm: isOfKey ? nil : realm?.text,
      realmBytes: isOfKey ? nil : realm?.sentBytes, field: isOfKey ? realm?.text : nil, isProxy: isProxy,
      user: user, identity: identity, pid: process?.pid.map { Int($0) },
      asked: asked.compactMap(\.pid).map { Int($0) }, answeredBy: answeredBy?.pid.map { Int($0) },
      reason: restriction == nil ? nil : reason?.rawValue,
      restriction: reason == nil ? nil : restriction?.description, because: because,
      traceparent: traceContext?.text,
      uses: uses)
  }
}

extension HistoryEntry {
  /// A record of systemd's journal.
  package func journalRecord(uid: UInt32) -> JournalRecord {
    var record = JournalRecord(message, priority: 6)
    record.add("MESSAGE_ID", HistoryEntry.messageIdentifier.utf8)
    record.add(own: "UID", "\(uid)")
    record.add(own: "OUTCOME", outcome.rawValue)
    record.add(own: "SESSION", session.isEmpty ? nil : session)
    record.add(own: "ORIGIN", origin?.description)
    record.add(own: "AUTHENTICATION_METHOD", authenticationMethod?.rawValue)
    if let realm { record.add("WATCHWORD_REALM", realm.octets) }
    record.add(own: "IS_PROXY", authenticationMethod == nil ? nil : isProxy ? "1" : "0")
    record.add(own: "USER", user)
    record.add(own: "IDENTITY", identity)
    record.add(own: "PID", process?.pid.map { "\($0)" })
    let known = asked.compactMap(\.pid)
    record.add(own: "ASKED", known.isEmpty ? nil : known.map { "\($0)" }.joined(separator: " "))
    record.add(own: "ANSWERED_BY", answeredBy?.pid.map { "\($0)" })
    record.add(own: "REASON", reason?.rawValue)
    record.add(own: "RESTRICTION", restriction?.description)
    record.add(own: "BECAUSE", because)
    record.add(own: "TRACEPARENT", traceContext?.text)
    return record
  }

  /// For `journalctl MESSAGE_ID=…`.
  private static let messageIdentifier = "dc94c6c0b5da41bc904e94c46d870095"

  /// Of words and an origin only.
  private var message: String {
    let method = authenticationMethod.map { " \($0.rawValue)" } ?? ""
    return "\(outcome.rawValue)\(method)\(origin.map { " \($0)" } ?? "")"
  }
}
