import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct NotificationTests {
  private static let origin = Origin(scheme: .https, host: "a.test", port: 443)
  private static let url = RequestURL(origin: origin, path: "/b", query: nil)

  private static func challenge(_ method: AuthenticationMethod, isForSession: Bool) -> Notification {
    let offer = Offer(authenticationMethod: method, realm: "staff", parameters: [])
    let question = ChallengeQuestion(
      url: url, space: offer.protectionSpace(of: origin), offers: [offer], proposed: nil,
      previousFailureCount: 0, failureResponse: nil)
    let sent = Sent.Challenge(
      challenge: "c1", session: "s", task: "t", url: url.text, question: question, waiters: [],
      waiterCount: 0, deadline: 0)
    return isForSession ? .sessionDidReceiveChallenge(sent) : .taskDidReceiveChallenge(sent)
  }

  private static let reply = Sent.FetchResult(
    task: "t", session: "s", url: "https://a.test/b", status: 204, headers: [],
    body: Sent.ResponseBody(.size(0)), redirects: [], loginPage: nil, unusableOffers: [],
    unusableOfferCount: nil, metrics: nil)

  /// With all that it can have.
  private static func head(_ status: Int, _ field: HeaderField) -> ResponseHead {
    var head = ResponseHead(status: status, headers: [field])
    head.details = ExchangeDetails(
      remoteAddress: "192.0.2.1:443", isProxyConnection: false, isReused: false, security: nil, requests: [])
    return head
  }

  private static func willRedirect(
    _ headers: [HeaderField], marked: Set<String> = []
  ) throws -> Notification {
    var policy = RedirectPolicy()
    policy.mode = .ask
    let decision = policy.decision(
      status: 302, target: .resolved(url), from: RequestStep(url: url, method: "GET", headers: headers),
      after: 0)
    guard case .ask(let request) = decision else { throw RPCError.internalError("\(decision)") }
    return .taskWillRedirect(
      .init(
        task: "t", session: "s",
        response: ResponseHead(status: 302, headers: [HeaderField("Location", "/b")]), request: request,
        sensitiveHeaders: marked))
  }

  private static func all() throws -> [Notification] {
    let key = CredentialKey(
      space: ProtectionSpace(origin: origin, realm: "staff", authenticationMethod: .basic), user: "reader")
    let none = Sent.Histogram(bounds: [], counts: [0], sum: 0)
    let snapshot = Sent.StatusSnapshot(
      version: "1", pid: 1, uptimeSeconds: 0, socket: "/s", residentBytes: 0, countedBytes: 0, locked: false,
      suspendLock: "off",
      vault: Sent.VaultStatus(
        path: nil, state: "none", credentials: 0, trust: 0, identities: 0, unreadable: 0, opensWith: nil,
        openers: [], reason: nil),
      roots: Sent.RootsStatus(path: nil, count: 0, reason: nil), sources: [], synchronization: nil,
      sessions: [], challenges: [], oldestChallengeSeconds: nil, history: [], counters: [], taskSeconds: none,
      replySeconds: none, limits: [], usage: [])
    return [
      challenge(.basic, isForSession: false), challenge(.negotiate, isForSession: true),
      .challengeDidSettle(
        .init(challenge: "c1", session: "s", outcome: "deadline", disposition: nil)),
      try willRedirect([]),
      .taskDidRedirect(
        .init(
          task: "t", session: "s", from: "f", to: "g", response: head(301, HeaderField("Location", "g")))),
      .taskDidReceiveHead(
        .init(task: "t", session: "s", hop: .proxy, url: "u", head: head(407, HeaderField("A", "b")))),
      .taskDidReceiveResponse(
        .init(
          task: "t", session: "s", url: "u", head: head(200, HeaderField("A", "b")), isLoginPage: true)),
      .taskDidSendBodyData(.init(task: "t", session: "s", bytesSent: 1, totalBytes: nil)),
      .taskDidReceiveData(.init(task: "t", session: "s", offset: 3, base64: "/w==")),
      .taskDidFinish(.result(reply)),
      .credentialDidChange(.init(session: "s", key: key, change: .replaced)),
      .sessionDidInvalidate(.init(session: "s", reason: "idle")), .statusDidChange(snapshot),
    ]
  }

  private static func members(_ notification: Notification) throws -> JSONValue {
    try parse(written(notification.write))
  }

  @Test func manyChangesNameNoCredential() throws {
    let members = try Self.members(.credentialDidChange(.init(session: "s", count: 65)))
    #expect(members["protectionSpace"] == .null && members["user"] == .null)
    #expect(members["change"] == .string("many") && members["count"] == .integer(65))
  }

  @Test func aPermanentIdentityIsNamedWithItsOrigin() throws {
    let print = try #require(Fingerprint(Array(repeating: 7, count: Fingerprint.byteCount)))
    let identity = Identity(
      certificate: Certificate(
        subject: "", issuer: "", serialNumber: "1", notBefore: 0, notAfter: 1, subjectAlternativeNames: [],
        keyType: "ec", keyBits: 256, sha256: print, publicKey: print, der: []),
      chainLength: 1, issuers: [], keyType: .ec)
    let kept = KeptIdentity(identity, certificates: "", privateKey: Secret([]))
    for origin in [nil, Origin(scheme: .https, host: "a.test", port: 443)] {
      let entry = PermanentIdentities.StoredIdentity(
        number: 1, kept, for: origin, record: UseRecord(created: 0))
      let change = PermanentIdentityChange(entry, .added)
      let members = try Self.members(.credentialDidChange(.init(session: "s", identity: change)))
      #expect(members["identity"] == .string(identity.identifier) && members["change"] == .string("added"))
      #expect(members["protectionSpace"]?["host"]?.text == origin?.host)
    }
  }

  // MARK: All

  @Test func everyNotificationOfTheProtocolIsHereAndNoOther() throws {
    let document = try parse(projectFile("protocol/openrpc.json"))
    let described = (document["x-notifications"]?.elements ?? [])
      .filter { $0["direction"] == .string("serverToClient") }.compactMap { $0["name"]?.text }
    let names = try Self.all().map(\.method)
    #expect(!described.isEmpty)
    #expect(names.sorted() == described.sorted())
  }

  @Test func everyNotificationHasTheMembersThatTheProtocolAsksFor() throws {
    let document = try parse(projectFile("protocol/openrpc.json"))
    var asked: [String: [String]] = [:]
    for entry in document["x-notifications"]?.elements ?? [] {
      asked[entry["name"]?.text ?? ""] = (entry["params"]?.elements ?? []).compactMap { $0["name"]?.text }
    }
    for notification in try Self.all() {
      let members = try Self.members(notification)
      for name in asked[notification.method] ?? [] {
        #expect(members[name] != nil, "\(notification.method) \(name)")
      }
    }
  }

  @Test func aNotificationHasNoIdentifier() throws {
    for notification in try Self.all() {
      let message = try parse(
        written { Envelope.notification(to: &$0, notification.method, descriptors: 1, notification.write) })
      #expect(message["id"] == nil)
      #expect(message["method"]?.text == notification.method)
      #expect(message["descriptors"] == .integer(1))
      #expect(try message["params"] == Self.members(notification))
    }
  }

  // MARK: Each

  @Test func theNameSaysWhetherTheSessionIsAskedOrTheTask() {
    let ofSession = Self.challenge(.negotiate, isForSession: true).method
    let ofTask = Self.challenge(.negotiate, isForSession: false).method
    #expect([ofSession, ofTask] == ["session/didReceiveChallenge", "task/didReceiveChallenge"])
  }

  @Test func dataIsBase64AtItsOffset() throws {
    let text = [UInt8]("hello".utf8).withUnsafeBytes { bytes in
      written {
        Sent.TaskDidReceiveData.write(task: "t", session: "s", offset: 1 << 33, bytes: bytes, to: &$0)
      }
    }
    let expected = #"{"task":"t","session":"s","offset":8589934592,"base64":"aGVsbG8="}"#
    #expect(try parse(text) == (try parse(expected)))
  }

  @Test func aTaskFinishesWithItsReplyOrItsError() throws {
    #expect(try Self.members(.taskDidFinish(.result(Self.reply))) == parse(written(Self.reply.write)))
    let error = RPCError.taskCancelled("cancelled").sent
    let failure = Notification.taskDidFinish(.failure(.init(task: "t", session: "s", error: error)))
    let expected = #"""
      {"task":"t","session":"s",
       "error":{"code":1101,"message":"cancelled","data":{"kind":"taskCancelled","retry":"never"}}}
      """#
    #expect(try Self.members(failure) == (try parse(expected)))
  }

  @Test func whatIsNotKnownIsNull() throws {
    let sent = Sent.TaskDidSendBodyData(task: "t", session: "s", bytesSent: 1, totalBytes: nil)
    #expect(try Self.members(.taskDidSendBodyData(sent))["totalBytes"] == .null)
    let settled = Sent.ChallengeDidSettle(
      challenge: "c", session: "s", outcome: "withdrawn", disposition: nil)
    #expect(try Self.members(.challengeDidSettle(settled))["disposition"] == .null)
  }

  @Test func aRedirectThatIsAskedAboutShowsNoSecret() throws {
    let headers = [
      HeaderField("Authorization", "Bearer sesame"), HeaderField("X-Key", "sesame"), HeaderField("A", "b"),
    ]
    let request = try Self.members(Self.willRedirect(headers, marked: ["x-key"]))["request"]
    let expected = #"""
      {"url":"https://a.test/b","method":"GET",
       "headers":[["Authorization","<secret>"],["X-Key","<secret>"],["A","b"]]}
      """#
    #expect(try request == parse(expected))
  }
}
