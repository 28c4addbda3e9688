import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

/// Records of systemd's journal.
@Suite struct HistoryJournalTests {
  private static let origin = Origin(scheme: .https, host: "a.test", port: 443)

  /// As the journal reads it; nil when it is malformed.
  private static func fields(_ record: [UInt8]) -> [String: [UInt8]]? {
    var rest = record[...]
    var fields: [String: [UInt8]] = [:]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let name = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      guard rest.count > length, rest.dropFirst(length).first == UInt8(ascii: "\n") else { return nil }
      fields[name] = Array(rest.prefix(length))
      rest = rest.dropFirst(length + 1)
    }
    return fields
  }

  @Test func aRecordHasWhatTheEntryHas() throws {
    var entry = HistoryEntry(.accepted, at: 0)
    entry.session = "reports"
    entry.origin = Self.origin
    entry.authenticationMethod = .basic
    entry.realm = "staff"
    entry.user = "reader"
    entry.process = 4711
    entry.asked = [1, 2]
    entry.answeredBy = 4720
    entry.because = "a test"
    entry.traceContext = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    let fields = try #require(Self.fields(entry.journalRecord(uid: 1000).octets))
    let texts = fields.mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(
      texts == [
        "MESSAGE": "accepted basic https://a.test:443", "MESSAGE_ID": "dc94c6c0b5da41bc904e94c46d870095",
        "PRIORITY": "6", "SYSLOG_IDENTIFIER": "watchwordd", "WATCHWORD_UID": "1000",
        "WATCHWORD_OUTCOME": "accepted", "WATCHWORD_SESSION": "reports",
        "WATCHWORD_ORIGIN": "https://a.test:443", "WATCHWORD_AUTHENTICATION_METHOD": "basic",
        "WATCHWORD_REALM": "staff", "WATCHWORD_IS_PROXY": "0", "WATCHWORD_USER": "reader",
        "WATCHWORD_PID": "4711", "WATCHWORD_ASKED": "1 2", "WATCHWORD_ANSWERED_BY": "4720",
        "WATCHWORD_BECAUSE": "a test",
        "WATCHWORD_TRACEPARENT": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      ])
  }

  @Test func whatTheEntryDoesNotHaveIsLeftOut() throws {
    let fields = try #require(Self.fields(HistoryEntry(.forgotten, at: 0).journalRecord(uid: 0).octets))
    #expect(
      Set(fields.keys) == [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "WATCHWORD_UID", "WATCHWORD_OUTCOME",
      ])
  }

  @Test func noValueBecomesAField() throws {
    var entry = HistoryEntry(.refused, at: 0)
    entry.origin = Self.origin
    entry.authenticationMethod = .basic
    entry.realm = OctetString(octets: Array("staff\nWATCHWORD_OUTCOME=accepted\n".utf8) + [0, 0xFF])
    entry.user = "reader\nPRIORITY\n"
    let fields = try #require(Self.fields(entry.journalRecord(uid: 0).octets))
    #expect(fields["WATCHWORD_OUTCOME"] == Array("refused".utf8))
    #expect(fields["PRIORITY"] == Array("6".utf8))
    #expect(fields["WATCHWORD_REALM"] == entry.realm?.octets)
    #expect(fields["WATCHWORD_USER"] == Array("reader\nPRIORITY\n".utf8))
  }
}
