import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// What a daemon gives to the next one comes back, part by part.
@Suite(.serialized) struct DaemonStateTests {
  init() { LoopThread.started }

  private static let clocks = DaemonState.Clocks(now: 1000, wallClock: 1_700_000_000)
  /// The next daemon's host has slept for ten seconds: monotonic time has stood still.
  private static let later = DaemonState.Clocks(now: 1000, wallClock: 1_700_000_010)
  private static let origin = Origin(scheme: .http, host: "a.example", port: 80)

  private static func space(_ realm: String, _ method: AuthenticationMethod = .basic) -> ProtectionSpace {
    ProtectionSpace(origin: origin, realm: OctetString(realm), authenticationMethod: method)
  }

  private static func kept(
    _ kind: Credential.Kind, in space: ProtectionSpace, isDefault: Bool = true, isFromURL: Bool = false
  ) -> SessionContents.KeptCredential {
    var limits = CredentialLimits()
    limits.maximumUses = 9
    limits.pathPrefixes = ["/d/"]
    let credential = Credential(kind, persistence: .forSession, limits: limits)
    let entry = CachedCredential(
      generation: 3, space: space, credential: credential, isDefault: isDefault,
      record: UseRecord(limits: limits, created: 900, lastUsed: 950, uses: 4), owner: nil,
      wasGivenForSpace: true)
    return SessionContents.KeptCredential(entry, wasGivenForSpace: true, isFromURL: isFromURL)
  }

  private static var state: DaemonState {
    var state = DaemonState()
    state.settingsKey = Secret("key".utf8)
    state.lastTask = 17
    state.vaultKeys[5] = DerivedKey(octets: Secret(Array(repeating: 10, count: 49)))
    var configuration = SessionConfiguration()
    configuration.timeouts.requestSeconds = 7
    var session = DaemonState.KeptSession(uid: 5, name: "s", configuration: configuration)
    session.contents.credentials = [
      kept(.password(user: "ann", password: Secret("é\u{0}\"".utf8)), in: space("r")),
      kept(.token(Secret("t".utf8)), in: space("r", .bearer), isDefault: false, isFromURL: true),
      kept(.kerberos(.keytab(Secret([0, 255]), principal: "p")), in: space("", .negotiate)),
      kept(.kerberos(.defaultCache), in: space("k", .negotiate)),
    ]
    session.cookies = [
      CookieStore.Kept(
        domain: "a.example", name: [0xFF], value: [0x80, 1], includesSubdomains: true, path: "/x",
        expires: 1_800_000_000, isSecure: true, isHTTPOnly: false)
    ]
    let print = Fingerprint(Array(repeating: 7, count: Fingerprint.byteCount))
    let issuers = print.map { [DistinguishedName(text: "CN=a, O=\"b\"", digest: $0)] } ?? []
    session.contents.decisions = [IdentityChoice.identity("i-1"), .none, .default].enumerated().map {
      SessionContents.IdentityDecision(
        IdentityStore.Decision(
          request: CertificateRequest(issuers: $0 == 0 ? issuers : [], keyTypes: [.rsa, .ec]), choice: $1),
        for: Origin(scheme: .https, host: "h\($0).example", port: 443))
    }
    let other = DaemonState.KeptSession(uid: 5, name: "other", configuration: SessionConfiguration())
    state.sessions = [session, other]
    state.results = [
      DaemonState.KeptResult(
        uid: 5,
        description: Sent.TaskSummary(
          task: "t9", session: "s", url: "http://a.example/", method: "GET", state: "completed",
          detached: true,
          bytesReceived: 3),
        member: "result", text: Secret(#"{"status":200}"#.utf8), expires: 1100)
    ]
    return state
  }

  /// The octets that are sent.
  static func sent(_ state: DaemonState) -> [UInt8] {
    var octets: [UInt8] = []
    var sending = StateSending {
      octets += $0
      return true
    }
    state.send(clocks, by: &sending)
    return octets
  }

  static func parts(_ octets: [UInt8]) -> [StatePart] {
    var parts: [StatePart] = []
    var rest = octets[...]
    while !rest.isEmpty {
      guard let (text, count) = Array(rest.prefix(8)).withUnsafeBytes(StatePart.lengths) else { break }
      rest = rest.dropFirst(8)
      let members = Secret(rest.prefix(text))
      parts.append(StatePart(text: members, octets: Secret(rest.dropFirst(text).prefix(count))))
      rest = rest.dropFirst(text + count)
    }
    return parts
  }

  @Test func everyPartComesBackAsItWas() throws {
    let before = Self.state
    var after = DaemonState()
    for part in Self.parts(Self.sent(before)) {
      let isTaken = after.adopt(part, Self.later)
      #expect(isTaken, "\(part.kind)")
    }
    #expect(after.settingsKey == before.settingsKey && after.lastTask == 17)
    #expect(after.vaultKeys == before.vaultKeys && after.vaultKeys.count == 1)
    #expect(after.sessions.map(\.name) == ["s", "other"] && after.sessions[0].uid == 5)
    #expect(after.sessions[0].configuration == before.sessions[0].configuration)
    #expect(after.sessions[0].cookies == before.sessions[0].cookies)
    let (kept, given) = (after.sessions[0].contents.credentials, before.sessions[0].contents.credentials)
    #expect(kept.map(\.entry.space) == given.map(\.entry.space))
    #expect(kept.map(\.entry.credential.kind) == given.map(\.entry.credential.kind))
    #expect(kept.map(\.entry.credential.limits) == given.map(\.entry.credential.limits))
    #expect(kept.map(\.entry.isDefault) == [true, false, true, true])
    #expect(kept.map(\.isFromURL) == [false, true, false, false])
    #expect(kept.allSatisfy { $0.wasGivenForSpace && $0.entry.record.uses == 4 })
    // Ten seconds older than before.
    #expect(kept.allSatisfy { $0.entry.record.created == 890 && $0.entry.record.lastUsed == 940 })
    let (decided, decisions) = (after.sessions[0].contents.decisions, before.sessions[0].contents.decisions)
    #expect(decided.map(\.origin) == decisions.map(\.origin) && decided.count == 3)
    #expect(decided.map(\.decision) == decisions.map(\.decision))
    #expect(decided.allSatisfy { $0.decision.request.keyTypes == [.rsa, .ec] })
    let result = try #require(after.results.first)
    #expect((result.uid, result.description.task, result.member) == (5, "t9", "result"))
    #expect(result.text == before.results[0].text && result.expires == 1090)
  }

  @Test @ReactorActor func aSessionKeepsItAsItsOwn() {
    let scene = SessionScene()
    let kept = Self.state.sessions[0]
    scene.session.takeOver(kept.contents, kept.keys, kept.cookies)
    #expect(scene.session.state.identities.allDecisions.count == 3)
    let all = scene.session.state.memory.all
    #expect(scene.told.isEmpty)
    #expect(all.map(\.isDefault) == [true, false, true, true])
    #expect(all.allSatisfy { $0.credential.persistence == .forSession && $0.record.uses == 4 })
    #expect(all.map(\.isFromURL) == [false, true, false, false] && all.allSatisfy(\.wasGivenForSpace))
    #expect(Set(all.map(\.generation)).count == 4)
  }

  @Test(arguments: [
    "later", "trust", "cookie", "session", "lock", "result", "identity", "tickets", "credential", "vaultKey",
    "decision",
  ])
  func whatIsNotUnderstoodIsPassedOver(kind: String) throws {
    var state = DaemonState()
    let text = Secret(#"{"kind":"\#(kind)","uid":-1,"soon":[]}"#.utf8)
    let part = StatePart(text: text, octets: Secret([1]))
    let isTakenAlone = state.adopt(part, Self.clocks)
    #expect(!isTakenAlone)
    state = Self.state
    let isTaken = state.adopt(part, Self.clocks)
    #expect(!isTaken && state.sessions.count == 2 && state.results.count == 1)
  }

  /// A setting of a later version: what the session keeps is no other one's.
  @Test func whatFollowsASessionThatIsNotUnderstoodIsNobodys() {
    var state = DaemonState()
    var isUnread = false
    for part in Self.parts(Self.sent(Self.state)) {
      var part = part
      if part.kind == "session", part["name"]?.text == "other" {
        let text = Secret(#"{"kind":"session","uid":6,"name":"later"}"#.utf8)
        part = StatePart(text: text, octets: Secret(#"{"configuration":{"later":1}}"#.utf8))
        isUnread = true
      }
      _ = state.adopt(part, Self.clocks)
    }
    #expect(isUnread && state.sessions.map(\.name) == ["s"])
    let before = state.sessions[0].contents.credentials.count
    for part in Self.parts(Self.sent(Self.state)) where part.kind == "credential" {
      let isTaken = state.adopt(part, Self.clocks)
      #expect(!isTaken)
    }
    #expect(state.sessions[0].contents.credentials.count == before)
  }

  @Test func nothingIsSentToAnEndThatTakesNothing() {
    var count = 0
    var sending = StateSending { _ in
      count += 1
      return count < 3
    }
    Self.state.send(Self.clocks, by: &sending)
    #expect(count == 3 && !sending.isWhole)
  }

  @Test(arguments: [[0, 0, 0, 1, 0, 0, 0], [255, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 255, 0, 0, 0]])
  func aHeadThatSaysTooMuchIsNone(octets: [UInt8]) {
    #expect(octets.withUnsafeBytes(StatePart.lengths) == nil)
  }
}
