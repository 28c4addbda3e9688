import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The hop to a proxy (methods.md 15).
@Suite struct TaskProxyTests {
  private var memory = SessionMemory()

  private static let proxyOrigin = Origin(scheme: .http, host: "p.example", port: 3128)

  private static func rules(
    _ type: ProxyType = .http, userinfo: RequestURL.Userinfo? = nil, except: [String] = []
  ) -> ProxyRules {
    var rules = ProxyRules(.session)
    rules.all = ProxyRules.Setting(
      name: "all",
      proxy: Proxy(type, url: RequestURL(origin: proxyOrigin, path: "/", query: nil, userinfo: userinfo)))
    rules.exceptions = except.compactMap { ProxyException($0) }
    return rules
  }

  private static func scene(
    _ rules: ProxyRules = rules(), scheme: WebScheme = .https, userinfo: RequestURL.Userinfo? = nil
  ) -> TaskScene {
    TaskScene(TaskScene.url(scheme: scheme, userinfo: userinfo), proxies: rules)
  }

  private static func userinfo(_ password: String?) -> RequestURL.Userinfo {
    RequestURL.Userinfo(user: "joe", password: password.map { TaskScene.secret($0) })
  }

  @Test mutating func theProxyAsksBeforeTheOriginAndEachGetsItsOwn() {
    var scene = Self.scene()
    scene.begin(memory)
    #expect(scene.sent?.proxy?.isTunnel == true)
    scene.refuseTunnel(TaskScene.basic("corp"), with: memory)
    let proxySpace = ProtectionSpace(
      origin: Self.proxyOrigin, realm: "corp", authenticationMethod: .basic, proxyType: .http)
    #expect(scene.question?.space == proxySpace)
    #expect(scene.question?.url == TaskScene.url())
    scene.answer(.useCredential(TaskScene.password("proxy")), memory)
    #expect(scene.proxyAuthorization != nil && scene.authorization == nil)
    #expect(scene.sent?.proxy?.credential == TaskScene.password("proxy").kind)
    scene.openTunnel(memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(scene.question?.space == TaskScene.space("staff"))
    scene.answer(.useCredential(TaskScene.password("origin")), memory)
    #expect(scene.authorization != nil && scene.authorization != scene.proxyAuthorization)
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func a407WithoutATunnelIsTheProxysAndItsPageIsNotDelivered() {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    #expect(scene.sent?.proxy?.isTunnel == false)
    scene.head(407, [HeaderField("Proxy-Authenticate", TaskScene.basic("corp"))], memory)
    #expect(scene.fate == .discard)
    scene.end(memory)
    #expect(scene.question?.space.proxyType == .http)
    scene.answer(.deliverRefusal, memory)
    guard case .proxyAuthentication(let head?)? = scene.failure else {
      Issue.record("\(String(describing: scene.failure))")
      return
    }
    #expect(head.status == 407)
  }

  @Test mutating func a407ThroughATunnelOrWithoutAProxyIsAResponse() {
    for rules in [Self.rules(), Self.rules(except: ["a.example"])] {
      var scene = Self.scene(rules)
      scene.begin(memory)
      scene.openTunnel(memory)
      scene.head(407, [HeaderField("Proxy-Authenticate", TaskScene.basic("corp"))], memory)
      #expect(scene.fate == .deliver)
      scene.end(memory)
      #expect(scene.isDelivered)
    }
  }

  @Test mutating func a401OfAProxyWithoutATunnelIsTheOrigins() {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(scene.question?.space.isProxy == false)
  }

  @Test mutating func aProxysCredentialIsSentAheadToTheWholeProxyAndToNothingElse() {
    memory.store(
      TaskScene.password("proxy"),
      for: ProtectionSpace(
        origin: Self.proxyOrigin, realm: "corp", authenticationMethod: .digest, proxyType: .http), owner: nil,
      now: 0)
    var first = Self.scene()
    first.begin(memory)
    first.refuseTunnel(TaskScene.digest("n", realm: "corp"), with: memory)
    #expect(first.proxyAuthorization != nil)
    first.openTunnel(memory)
    var second = TaskScene(
      TaskScene.url("/elsewhere", host: "b.example", scheme: .http), proxies: Self.rules())
    second.begin(memory)
    #expect(second.proxyAuthorization != nil && second.authorization == nil)
    // The same host and port as an origin gets nothing.
    let same = RequestURL(origin: Self.proxyOrigin, path: "/", query: nil)
    var direct = TaskScene(same)
    direct.begin(memory)
    #expect(direct.authorization == nil && direct.sent?.proxy == nil)
    direct.refuse(TaskScene.digest("n", realm: "corp"), with: memory)
    #expect(direct.question?.proposed == nil)
  }

  @Test mutating func anOriginsCredentialIsNoAnswerToAProxyOfTheSameHost() {
    memory.store(
      TaskScene.password("origin"),
      for: ProtectionSpace(origin: Self.proxyOrigin, realm: "corp", authenticationMethod: .basic), owner: nil,
      now: 0)
    var scene = Self.scene()
    scene.begin(memory)
    scene.refuseTunnel(TaskScene.basic("corp"), with: memory)
    #expect(scene.question?.proposed == nil && scene.proxyAuthorization == nil)
  }

  @Test mutating func userinfoOfAProxyIsConsentAndIsSentAheadOnceAccepted() {
    let rules = Self.rules(userinfo: Self.userinfo("proxy"))
    var first = Self.scene(rules)
    first.begin(memory)
    #expect(first.proxyAuthorization == nil)
    first.refuseTunnel(TaskScene.basic("corp"), with: memory)
    #expect(first.question == nil && first.proxyAuthorization != nil)
    first.openTunnel(memory)
    guard case .acceptedFromURL(let credential, let space, let authenticator, let scope)? = first.report
    else {
      Issue.record("not reported")
      return
    }
    memory.store(
      credential, for: space, authenticator: authenticator, scope: scope, isDefault: false, isFromURL: true,
      owner: nil, now: 0)
    var second = Self.scene(rules)
    second.begin(memory)
    #expect(second.proxyAuthorization != nil)
    for other in [nil, Self.userinfo(nil), Self.userinfo("another")] {
      var scene = Self.scene(Self.rules(userinfo: other))
      scene.begin(memory)
      #expect(scene.proxyAuthorization == nil)
    }
  }

  @Test mutating func refusedUserinfoOfAProxyIsAskedAboutWithTheOthers() {
    var scene = Self.scene(Self.rules(userinfo: Self.userinfo("wrong")))
    scene.begin(memory)
    scene.refuseTunnel(TaskScene.basic("corp"), with: memory)
    scene.refuseTunnel(TaskScene.basic("corp"), with: memory)
    #expect(scene.question?.isShared == true)
    #expect(scene.question?.proposed == ProposedCredential(user: "joe", source: .url))
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test mutating func aTunnelIsAuthorizedByDigestForItsAuthority() {
    var scene = Self.scene()
    scene.begin(memory)
    scene.refuseTunnel(TaskScene.digest("n1", realm: "corp"), with: memory)
    scene.answer(.useCredential(TaskScene.password("proxy")), memory)
    #expect(scene.sent?.proxy?.isAuthorizedLate == true)
    #expect(scene.proxyAuthorization?.contains("uri=\"a.example:443\"") == true)
    scene.openTunnel(memory)
    scene.refuseTunnel(TaskScene.digest("n2", realm: "corp", stale: true), with: memory)
    #expect(scene.question == nil && scene.proxyAuthorization?.contains("nonce=\"n2\"") == true)
  }

  @Test mutating func socksAsksForBasicWithoutARealm() {
    var scene = Self.scene(Self.rules(.socks5), scheme: .http)
    scene.begin(memory)
    scene.endAlone(.proxyAuthenticationRequired(nil), memory)
    #expect(scene.question?.space.realm == nil && scene.question?.space.authenticationMethod == .basic)
    #expect(scene.question?.space.protocolName == "socks5" && scene.question?.failureResponse == nil)
    scene.answer(.useCredential(TaskScene.password("proxy")), memory)
    #expect(scene.sent?.proxy?.credential == TaskScene.password("proxy").kind)
    scene.endAlone(.proxyAuthenticationRequired(nil), memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test mutating func aRedirectChoosesTheProxyAgain() {
    var scene = Self.scene(Self.rules(except: ["b.example"]))
    scene.begin(memory)
    #expect(scene.sent?.proxy != nil)
    scene.openTunnel(memory)
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.url.origin.host == "b.example" && scene.sent?.proxy == nil)
  }

  @Test mutating func whatTheOriginWasToGetIsSentAgainAfterTheProxyHasAsked() {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n1"), with: memory)
    scene.answer(.useCredential(TaskScene.password("origin")), memory)
    #expect(scene.authorization != nil)
    scene.refuseAtProxy(TaskScene.basic("corp"), with: memory)
    #expect(scene.machine.authentication.methodInUse == .digest, "it was sent, though not to the origin")
    scene.answer(.useCredential(TaskScene.password("proxy")), memory)
    #expect(scene.proxyAuthorization != nil)
    #expect(scene.authorization?.contains("nonce=\"n1\"") == true)
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aProxyThatAsksForeverEndsTheTask() {
    var scene = Self.scene(Self.rules(userinfo: Self.userinfo("a")))
    scene.askable = []
    scene.begin(memory)
    var rounds = 0
    while scene.isExchanging, rounds < 1000 {
      scene.refuseTunnel(TaskScene.basic("realm \(rounds)"), with: memory)
      rounds += 1
    }
    guard case .proxyAuthentication? = scene.failure else {
      Issue.record("\(String(describing: scene.failure)) after \(rounds)")
      return
    }
    #expect(rounds <= AuthenticationStateMachine.roundLimit + 1)
  }

  @Test mutating func aSettingThatIsNoProxysURLSendsNothing() {
    var rules = ProxyRules(.environment)
    rules.all = ProxyRules.Setting(name: "all_proxy", proxy: nil)
    var scene = Self.scene(rules)
    scene.begin(memory)
    #expect(scene.sent == nil && scene.failure == .transport(.proxyMalformed(setting: "all_proxy")))
  }

  /// Of a proxy whose URL names a user: the session's credential is tried after that (methods.md 15.7).
  @Test(arguments: [true, false]) mutating func theSessionsDefaultIsTriedAfterARefusedUserinfo(
    _ isDefault: Bool
  ) {
    let space = ProtectionSpace(
      origin: Self.proxyOrigin, realm: "corp", authenticationMethod: .digest, proxyType: .http)
    memory.store(TaskScene.password("y", user: "ann"), for: space, isDefault: isDefault, owner: nil, now: 0)
    var scene = Self.scene(Self.rules(userinfo: Self.userinfo("wrong")), scheme: .http)
    scene.begin(memory)
    scene.refuseAtProxy(TaskScene.digest("n", realm: "corp"), with: memory)
    #expect(scene.proxyAuthorization?.contains("username=\"joe\"") == true)
    scene.refuseAtProxy(TaskScene.digest("m", realm: "corp"), with: memory)
    #expect((scene.proxyAuthorization?.contains("username=\"ann\"") == true) == isDefault)
    #expect((scene.question == nil) == isDefault)
  }

  @Test mutating func anAcceptedCredentialOfOneTaskGoesToItsProxyOnly() {
    var rules = Self.rules()
    let other = RequestURL(
      origin: Origin(scheme: .http, host: "q.example", port: 3128), path: "/", query: nil)
    rules.http = ProxyRules.Setting(name: "http", proxy: Proxy(.http, url: other))
    var scene = TaskScene(TaskScene.url(scheme: .http), proxies: rules)
    scene.begin(memory)
    #expect(scene.sent?.proxy?.proxy.url == other)
    scene.refuseAtProxy(TaskScene.basic("corp"), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none)), memory)
    #expect(scene.proxyAuthorization != nil)
    scene.redirect(to: "b.example", with: memory)
    #expect(scene.sent?.proxy?.proxy.url.origin == Self.proxyOrigin && scene.proxyAuthorization == nil)
  }

  @Test mutating func anAcceptedCredentialOfOneTaskGoesWithItsNextRequests() {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    scene.refuseAtProxy(TaskScene.basic("corp"), with: memory)
    scene.answer(.useCredential(TaskScene.password("x", .none)), memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    scene.answer(.useCredential(TaskScene.password("origin")), memory)
    #expect(scene.proxyAuthorization == "Basic am9lOng=")
  }

  /// Without a tunnel no connection leads to the origin, unless the proxy says so (methods.md 15.11).
  @Test(
    arguments: [
      (nil, false), ("Session-Based-Authentication", true), ("session-based-authentication", true),
      ("x, Session-Based-Authentication", true), ("x\tSession-Based-Authentication,y", true),
      ("x Session-Based-Authentication", true), ("Session-Based-Authentications", false), ("", false),
    ] as [(String?, Bool)])
  mutating func aForwardedOriginMayNegotiateWhereTheProxyKeepsItsConnections(
    _ support: String?, _ isOffer: Bool
  ) {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    let fields = [HeaderField("WWW-Authenticate", "Negotiate")]
    scene.head(401, fields + (support.map { [HeaderField("Proxy-Support", $0)] } ?? []), memory)
    scene.end(memory)
    #expect((scene.question?.space.authenticationMethod == .negotiate) == isOffer)
    #expect(scene.isDelivered == !isOffer)
  }

  @Test mutating func aFieldOfAnotherNameSaysNothingOfTheProxysConnections() {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    let field = HeaderField("Proxy-Supported", "Session-Based-Authentication")
    scene.head(401, [HeaderField("WWW-Authenticate", "Negotiate"), field], memory)
    #expect(scene.fate == .deliver)
  }

  /// A proxy's Digest with `auth-int` hashes the body of what goes to it: a tunnel has none.
  @Test(arguments: [(WebScheme.https, true, false), (.http, true, true), (.http, false, false)])
  mutating func aBodyIsHashedForAProxyThatGetsIt(_ scheme: WebScheme, _ hasBody: Bool, _ isRead: Bool) {
    var scene = TaskScene(
      TaskScene.url(scheme: scheme), method: "POST", body: hasBody ? .replayable : .none,
      proxies: Self.rules())
    scene.body = .unread
    scene.begin(memory)
    if scheme == .https {
      scene.refuseTunnel(TaskScene.integrityDigest, with: memory)
    } else {
      scene.refuseAtProxy(TaskScene.integrityDigest, with: memory)
    }
    scene.answer(.useCredential(TaskScene.password("x")), memory)
    #expect(scene.readsBody == isRead)
    #expect((scene.proxyAuthorization?.contains("qop=auth-int") == true) == !isRead)
  }

  /// The proof that a proxy gives for a body is checked when that has been hashed.
  @Test(arguments: [true, false]) mutating func aProxysProofOfABodyIsChecked(_ isWrong: Bool) {
    var scene = Self.scene(scheme: .http)
    scene.begin(memory)
    scene.refuseAtProxy(TaskScene.integrityDigest, with: memory)
    scene.answer(.useCredential(TaskScene.password("x")), memory)
    let proof = "qop=auth-int, rspauth=\"\(String(repeating: "0", count: 64))\", cnonce=\"c\", nc=00000001"
    scene.head(200, isWrong ? [HeaderField("Proxy-Authentication-Info", proof)] : [], memory)
    #expect((scene.machine.responseHash != nil) == isWrong)
    scene.endAlone(nil, memory)
    #expect((scene.failure == .authenticationAtProxy(.serverNotAuthenticated)) == isWrong)
    #expect(scene.isDelivered == !isWrong)
  }
}
