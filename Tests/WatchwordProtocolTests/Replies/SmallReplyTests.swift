import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

/// What the shorter methods answer.
@Suite struct SmallReplyTests {
  @Test func initializeSaysWhatTheDaemonCan() throws {
    let reply = Sent.Greeting(version: "1.0.0", pid: 7, uid: 1000, limits: [("messageBytes", 1 << 20)])
    let expected = #"""
      {"name":"watchwordd","version":"1.0.0","protocolVersion":"1",
       "capabilities":{"descriptors":true,"framings":["line","contentLength"]},
       "features":["configure","bySettings","taskSettings","connectionSettings","preemptive","key","userRoots","loginPage","callersWays",
         "hostField","strictPins","exchangeDetails","traceContext",
       "because","restart"],
       "pid":7,"uid":1000,
       "limits":{"messageBytes":1048576}}
      """#
    #expect(try parse(written(reply.write)) == (try parse(expected)))
  }

  @Test func openSaysWhichSessionAndWhetherItIsNew() throws {
    let text = written(Sent.OpenedSession(session: "reports", created: true, warnings: []).write)
    #expect(text == #"{"session":"reports","created":true}"#)
  }

  @Test func aReplyToAChallengeIsAccepted() {
    #expect(written(Sent.AcceptedReply(accepted: true).write) == #"{"accepted":true}"#)
  }

  @Test func aTaskIsDescribedInOneObject() throws {
    let task = Sent.TaskSummary(
      task: "t1", session: "reports", url: "https://a.test/", method: "GET", state: "waiting",
      detached: false, bytesReceived: 9)
    let text = written(task.write)
    let expected = #"""
      {"task":"t1","session":"reports","url":"https://a.test/","method":"GET","state":"waiting","detached":false,
       "bytesReceived":9}
      """#
    #expect(try parse(text) == (try parse(expected)))
  }

  private static let request = CertificateRequest(
    issuers: Fingerprint(Array(repeating: 7, count: Fingerprint.byteCount)).map {
      [DistinguishedName(text: "CN=Staff", digest: $0)]
    } ?? [], keyTypes: [.ec])

  private static func explained(
    _ authorization: AuthenticationStateMachine.Expectation, headers: [HeaderField] = [],
    proxy: ProxyChoice? = nil
  ) throws -> JSONValue {
    var prospect = SessionState.Prospect()
    prospect.expectation = authorization
    return try parse(
      written(
        Sent.Explanation(
          url: "https://a.test/q", origin: origin, prospect: prospect, proxy: proxy,
          proxyProspect: SessionState.Prospect(), methods: ["digest", "basic"], headers: headers,
          redirects: RedirectPolicy(),
          trust: [], root: nil,
          identityDecisions: [
            IdentityStore.Decision(request: request, choice: .identity("i-1")),
            IdentityStore.Decision(
              request: CertificateRequest(issuers: [], keyTypes: [.ec]), choice: .default),
          ], identities: ["i-2", "i-1"], pins: ["*.test"], rules: [], pendingChallenges: ["c1"]
        ).write))
  }

  private static let origin = Origin(scheme: .https, host: "a.test", port: 443)

  @Test func explainShowsWhatWouldBeSentButNoSecret() throws {
    let space = ProtectionSpace(origin: Self.origin, realm: "staff", authenticationMethod: .digest)
    let explained = try Self.explained(
      .unasked(CredentialKey(space: space, user: "reader")),
      headers: [HeaderField("COOKIE", "sesame"), HeaderField("X", "y")])
    let expected = #"""
      {"url":"https://a.test/q","origin":"https://a.test:443",
       "credential":{"user":"reader","authenticationMethod":"digest","realm":"staff","source":"session"},
       "preemptive":true,"methods":["digest","basic"],"authorizationHeader":"session",
       "trust":{"evaluation":"default","decisions":[],"pins":["*.test"],"rules":[],"root":null},
       "clientCertificate":{"decisions":[{"distinguishedNames":["CN=Staff"],"choice":"identity","identity":"i-1"},
         {"distinguishedNames":[],"choice":"default","identity":null}],"candidates":["i-2","i-1"]},
       "proxy":null,"proxyChoice":null,"proxyCredential":null,"proxyPreemptive":false,
       "redirects":{"policy":"follow","limit":20},"pendingChallenges":["c1"],"headers":[["COOKIE","<secret>"],["X","y"]]}
      """#
    #expect(explained == (try parse(expected)))
  }

  @Test func explainSaysWhoseTheAuthorizationIs() throws {
    let nobody = try Self.explained(.nothing)
    #expect(nobody["credential"] == .null)
    #expect(nobody["authorizationHeader"] == .string("none"))
    let session = try Self.explained(.callersField, headers: [HeaderField("Authorization", "Bearer sesame")])
    #expect(session["authorizationHeader"] == .string("session"))
    #expect(session["headers"] == .array([.array([.string("Authorization"), .string("<secret>")])]))
  }

  @Test func explainNamesTheProxyAndWhyWithoutItsUserinfo() throws {
    let url = RequestURL(
      origin: Origin(scheme: .http, host: "p.test", port: 3128), path: "/", query: nil,
      userinfo: RequestURL.Userinfo(user: "joe", password: nil))
    var rules = ProxyRules(.session)
    rules.all = ProxyRules.Setting(name: "all", proxy: Proxy(.http, url: url))
    let explained = try Self.explained(.nothing, proxy: rules.choice(for: Self.origin))
    #expect(explained["proxy"] == .string("http://p.test:3128"))
    let choice = #"{"source":"session","setting":"all","exception":null,"usable":true}"#
    #expect(explained["proxyChoice"] == (try parse(choice)))
    rules.exceptions = [ProxyException("test")].compactMap(\.self)
    let direct = try Self.explained(.nothing, proxy: rules.choice(for: Self.origin))
    #expect(direct["proxy"] == .null)
    #expect(direct["proxyChoice"]?["exception"] == .string("test"))
  }

  @Test func theDetailsOfAnErrorStandBesideKindAndRetry() throws {
    let error = RPCError.limitExceeded("too many", limit: "peers")
    let expected =
      #"{"code":1003,"message":"too many","data":{"kind":"limitExceeded","retry":"later","limit":"peers"}}"#
    #expect(try parse(written(error.write)) == (try parse(expected)))
  }
}
