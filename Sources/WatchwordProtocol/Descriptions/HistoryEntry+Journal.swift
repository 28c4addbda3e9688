package import WatchwordCore
internal import WatchwordVocabulary

extension HistoryEntry {
  /// One record in the journal's native protocol (systemd's "Native Journal Protocol").
  ///
  /// Each field is its name, a line feed, the length of its value in eight octets, the value and a line feed: no value can
  /// become another field.
  package func journalRecord(uid: UInt32) -> [UInt8] {
    var record: [UInt8] = []
    func add(_ name: String, _ value: some Collection<UInt8>) {
      record += Array(name.utf8) + [UInt8(ascii: "\n")]
      withUnsafeBytes(of: UInt64(value.count).littleEndian) { record += $0 }
      record += Array(value) + [UInt8(ascii: "\n")]
    }
    func add(_ name: String, _ value: String?) {
      if let value { add("WATCHWORD_\(name)", value.utf8) }
    }
    add("MESSAGE", message.utf8)
    add("MESSAGE_ID", HistoryEntry.messageIdentifier.utf8)
    add("PRIORITY", "6".utf8)
    add("SYSLOG_IDENTIFIER", "watchwordd".utf8)
    add("UID", "\(uid)")
    add("OUTCOME", outcome.rawValue)
    add("SESSION", session.isEmpty ? nil : session)
    add("ORIGIN", origin?.description)
    add("AUTHENTICATION_METHOD", authenticationMethod?.rawValue)
    if let realm { add("WATCHWORD_REALM", realm.octets) }
    add("IS_PROXY", authenticationMethod == nil ? nil : isProxy ? "1" : "0")
    add("USER", user)
    add("IDENTITY", identity)
    add("PID", process?.pid.map { "\($0)" })
    let known = asked.compactMap(\.pid)
    add("ASKED", known.isEmpty ? nil : known.map { "\($0)" }.joined(separator: " "))
    add("ANSWERED_BY", answeredBy?.pid.map { "\($0)" })
    add("REASON", reason?.rawValue)
    add("RESTRICTION", restriction?.description)
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
