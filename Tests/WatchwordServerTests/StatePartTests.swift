import Testing
import WatchwordCore
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// Parts of a state that another version has sent (messages.md 11.12).
struct StatePartTests {
  private static let clocks = DaemonState.Clocks(now: 1000, wallClock: 1_700_000_000)

  private static func part(_ kind: String, _ members: String = "", _ octets: String = "") -> StatePart {
    let text = #"{"kind":"\#(kind)"\#(members.isEmpty ? "" : ",")\#(members)}"#
    return StatePart(text: Secret(text.utf8), octets: Secret(octets.utf8))
  }

  /// Of a session with the default settings.
  private static func session() throws -> StatePart {
    var state = DaemonState()
    state.sessions = [DaemonState.KeptSession(uid: 1, name: "s", configuration: SessionConfiguration())]
    return try #require(DaemonStateTests.parts(DaemonStateTests.sent(state)).last)
  }

  @Test(arguments: [
    "credential", "tickets", "trust", "identity", "decision", "cookie", "later", "daemon", "lock",
    "vaultKey", "session", "result",
  ])
  func whatIsNotUnderstoodIsPassedOver(_ kind: String) throws {
    var state = DaemonState()
    // Nothing can be of a session when there is none.
    let isTaken = state.adopt(Self.part(kind, #""uid":1"#, "x"), Self.clocks)
    #expect(!isTaken)
    let isSessionTaken = state.adopt(try Self.session(), Self.clocks)
    #expect(isSessionTaken)
    try #require(state.sessions.count == 1)
    let isTakenAfter = state.adopt(Self.part(kind, #""uid":1"#, "x"), Self.clocks)
    #expect(!isTakenAfter && state.sessions.count == 1)
    #expect(state.sessions[0].contents.credentials.isEmpty && state.sessions[0].cookies.isEmpty)
    #expect(state.sessions[0].contents.trust.isEmpty && state.sessions[0].contents.identities.isEmpty)
    #expect(state.locks.isEmpty && state.vaultKeys.isEmpty && state.results.isEmpty)
  }

  /// What is behind a session that is not understood is of no other one.
  @Test func whatIsOfAnUnknownSessionIsOfNone() throws {
    var state = DaemonState()
    _ = state.adopt(try Self.session(), Self.clocks)
    let isTaken = state.adopt(Self.part("session", #""uid":1"#, "{}"), Self.clocks)
    #expect(!isTaken)
    let cookie =
      #""domain":"a.example","name":"bg==","includesSubdomains":false,"path":"/","isSecure":false,"#
      + #""isHTTPOnly":false"#
    try #require(state.sessions.count == 1)
    let isCookieTaken = state.adopt(Self.part("cookie", cookie), Self.clocks)
    #expect(!isCookieTaken && state.sessions[0].cookies.isEmpty)
  }

  /// A mark that is missing is not taken for one that is not set.
  @Test func aPartWithoutAMemberIsNotUnderstood() throws {
    let members = [
      #""domain":"a.example""#, #""name":"bg==""#, #""includesSubdomains":false"#, #""path":"/""#,
      #""isSecure":false"#, #""isHTTPOnly":false"#,
    ]
    for missing in -1..<members.count {
      var state = DaemonState()
      _ = state.adopt(try Self.session(), Self.clocks)
      let rest = members.enumerated().filter { $0.offset != missing }.map(\.element)
      let isTaken = state.adopt(Self.part("cookie", rest.joined(separator: ",")), Self.clocks)
      #expect(isTaken == (missing < 0))
    }
    let key = String(repeating: "\u{a}", count: 49)
    for (members, isUnderstood) in [
      (#""uid":1,"isLocked":true,"wrongAttempts":0"#, true), (#""uid":1,"wrongAttempts":0"#, false),
      (#""uid":1,"isLocked":true"#, false),
    ] {
      var state = DaemonState()
      let isTaken = state.adopt(Self.part("lock", members, key), Self.clocks)
      #expect(isTaken == isUnderstood && state.locks.count == (isUnderstood ? 1 : 0))
    }
  }

  /// The lengths of a part are bounded before anything is read.
  @Test func aPartThatIsTooLargeIsNone() {
    let most = UInt32(StatePart.maximumBytes)
    for (text, octets, isRead) in [(most, most, true), (most + 1, 0, false), (0, most + 1, false)] {
      let lengths = [text.bigEndian, octets.bigEndian].withUnsafeBytes(StatePart.lengths)
      #expect((lengths?.text == Int(text) && lengths?.octets == Int(octets)) == isRead)
    }
  }
}
