import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

/// Sessions, credentials and the daemon as they are shown.
@Suite struct StatusDescriptionTests {
  private static let password = "correct horse battery staple"
  private static let space = ProtectionSpace(
    origin: Origin(scheme: .https, host: "a.test", port: 443), realm: "staff", authenticationMethod: .basic)

  private static func cache(_ credential: Credential) -> CredentialCache {
    var cache = CredentialCache()
    cache.store(credential, for: space, isDefault: true, owner: 4711, now: 100)
    return cache
  }

  private static func shown(_ credential: Credential) throws -> JSONValue? {
    guard let cached = cache(credential).all.first else { return nil }
    let description = CredentialDescription(cached, now: 160, wallClock: 1_795_262_700)
    return try parse(written(description.write))
  }

  private static func session(_ configuration: SessionConfiguration = SessionConfiguration())
    -> SessionDescription
  {
    let holder = HolderDescription(
      pid: 4711, uid: 1000, executable: "/usr/bin/python3", callerName: "nightly", callerVersion: "2.1",
      interest: DelegateInterest(tasks: .only([.digest, .basic]), session: .all),
      restriction: nil)
    let credential = Credential(.password(user: "reader", password: Secret(password.utf8)))
    return SessionDescription(
      session: "reports", uid: 1000, isNamed: true, holders: [holder], tasks: 2,
      credentials: cache(credential).count, trust: 0, identities: 0, connections: 3, pendingChallenges: 1,
      restrictions: [],
      configuration: configuration, unusedSeconds: 12.5)
  }

  @Test func aPasswordIsShownWithoutItself() throws {
    let expected = #"""
      {"protectionSpace":{"protocol":"https","host":"a.test","port":443,"realm":"staff",
         "authenticationMethod":"basic","isProxy":false},
       "user":"reader","kind":"password","persistence":"forSession","isDefault":true,"source":"session","readable":false,"preemptive":false,"limits":{},
       "uses":0,"lastUsed":null,"created":"2026-11-21T12:04:00Z","secondsLeft":null}
      """#
    let credential = Credential(.password(user: "reader", password: Secret(Self.password.utf8)))
    #expect(try Self.shown(credential) == (try parse(expected)))
  }

  @Test func aTokenHasNoUserAndItsLimitsAreShown() throws {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 90
    limits.notAfter = 1_795_262_700 + 3600
    limits.pathPrefixes = ["/a"]
    limits.methods = ["GET"]
    limits.maximumUses = 3
    limits.confirm = true
    let shown = try Self.shown(Credential(.token(Secret(Self.password.utf8)), limits: limits))
    #expect(shown?["user"] == .null)
    #expect(shown?["kind"] == .string("token"))
    #expect(shown?["secondsLeft"] == .real(30))
    let expected = #"""
      {"lifetimeSeconds":90.0,"notAfter":"2026-11-21T13:05:00Z","pathPrefixes":["/a"],"methods":["GET"],
       "maximumUses":3,"confirm":true}
      """#
    #expect(try shown?["limits"] == parse(expected))
  }

  @Test func aListCountsWhatADescriptionNames() throws {
    let counts = try parse(written(Self.session().summary.write))
    let expected = #"""
      {"session":"reports","uid":1000,"named":true,"holders":1,"tasks":2,"credentials":1,"trust":0,"identities":0,
       "connections":3,"pendingChallenges":1,"restrictions":0,"unusedSeconds":12.5}
      """#
    #expect(counts == (try parse(expected)))
    let full = try parse(written(Self.session().description.write))
    let holder = #"""
      [{"pid":4711,"uid":1000,"executable":"/usr/bin/python3","name":"nightly","version":"2.1",
        "delegate":{"tasks":["basic","digest"],"session":["*"]},"restriction":null}]
      """#
    #expect(try full["holders"] == parse(holder))
    #expect(full["configuration"]?["redirects"]?["limit"] == .integer(20))
    let status = try parse(written(Self.session().status(showing: []).write))
    #expect(status["credentials"]?.elements.isEmpty == true)
    #expect(status["configuration"] == nil)
  }

  @Test func aDescribedSessionHidesTheFieldsThatCarrySecrets() throws {
    var configuration = SessionConfiguration()
    configuration.headers = [
      HeaderField("authorization", Self.password), HeaderField("Cookie", Self.password),
      HeaderField("X", "y"),
    ]
    let text = written(Self.session(configuration).description.write)
    #expect(!text.contains(Self.password))
    #expect(
      try parse(text)["configuration"]?["headers"]
        == parse(#"[["authorization","<secret>"],["Cookie","<secret>"],["X","y"]]"#))
  }

  @Test func aSnapshotIsAllOfItWithoutASecret() throws {
    let credential = Credential(.password(user: "reader", password: Secret(Self.password.utf8)))
    let shown = Self.cache(credential).all.map {
      CredentialDescription($0, now: 100, wallClock: 1_795_262_700)
    }
    let texts: [Encoded<Sent.StoredCredential>] = shown.map { .text(JSONWriter.text($0.write)) }
    var times = Histogram(bounds: [0.5, 2])
    for seconds in [0.25, 0.5, 8] { times.count(seconds) }
    let snapshot = StatusSnapshot(
      version: "1.0.0", pid: 1, uptimeSeconds: 12.5, socket: "/run/w.sock", residentBytes: 1 << 24,
      countedBytes: 1 << 20,
      isLocked: false, suspendLock: .ready,
      vault: VaultDescription(state: .none, path: nil, credentials: 0, trust: 0, identities: 0),
      roots: RootsDescription(path: "/s/roots-0.pem", count: 2, reason: nil),
      sources: [
        SourceDescription(
          name: "builds", kind: "oauth", hasToken: true, validUntil: 0, lastError: .unreachable)
      ],
      synchronization: SynchronizationDescription(
        state: .watching, endpoint: "https://a.example", revision: 7, pending: 1, lastError: .timedOut),
      sessions: [.text(JSONWriter.text(Self.session().status(showing: texts).write))], challenges: [],
      oldestChallengeSeconds: 1.5, history: [],
      counters: [("fetches.started", 7)], taskTimes: times, replyTimes: Histogram(bounds: [0.5]),
      limits: [("messageBytes", 1 << 20, nil), ("tasks", 20_000, 2)])
    let text = written(snapshot.write)
    #expect(!text.contains(Self.password))
    let status = try parse(text)
    #expect(status["uptimeSeconds"] == .real(12.5))
    #expect(status["suspendLock"] == .string("ready"))
    #expect(try status["roots"] == parse(#"{"path":"/s/roots-0.pem","count":2,"reason":null}"#))
    #expect(status["sessions"]?.elements.count == 1)
    #expect(
      try status["sources"]
        == parse(
          #"[{"source":"builds","kind":"oauth","token":true,"validUntil":"1970-01-01T00:00:00Z","lastError":"unreachable"}]"#
        ))
    #expect(
      try status["synchronization"]
        == parse(
          #"{"state":"watching","endpoint":"https://a.example","revision":7,"pending":1,"lastError":"timedOut"}"#
        ))
    #expect(status["challenges"] == .array([]))
    #expect(status["oldestChallengeSeconds"] == .real(1.5))
    #expect(try status["taskSeconds"] == parse(#"{"bounds":[0.5,2.0],"counts":[2,0,1],"sum":8.75}"#))
    #expect(try status["counters"] == parse(#"{"fetches.started":7}"#))
    #expect(try status["limits"] == parse(#"{"messageBytes":1048576,"tasks":20000}"#))
    #expect(try status["usage"] == parse(#"{"tasks":2}"#))
  }
}
