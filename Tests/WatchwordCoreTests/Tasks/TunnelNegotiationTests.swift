import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Methods that authenticate a connection, at a proxy (methods.md 15.13 to 15.15).
@Suite struct TunnelNegotiationTests {
  private var memory = SessionMemory()

  private static let ntlm: MethodPolicy = {
    var policy = MethodPolicy()
    policy.disabled = []
    return policy
  }()
  private static let first = "bmVnb3RpYXRl"
  private static let second = "Y2hhbGxlbmdl"

  private static func scene(
    _ type: ProxyType = .http, scheme: WebScheme = .https, policy: MethodPolicy = ntlm,
    body: RequestStep.Body = .none
  ) -> TaskScene {
    var rules = ProxyRules(.session)
    let origin = Origin(scheme: type == .https ? .https : .http, host: "p.example", port: 3128)
    rules.all = ProxyRules.Setting(
      name: "all", proxy: Proxy(type, url: RequestURL(origin: origin, path: "/", query: nil)))
    return TaskScene(
      TaskScene.url(scheme: scheme), method: body == .none ? "GET" : "POST", body: body, policy: policy,
      proxies: rules)
  }

  /// A task whose proxy has asked, and whose delegate has answered.
  private mutating func asked(_ scheme: String, _ scene: TaskScene) -> TaskScene {
    var scene = scene
    scene.begin(memory)
    if scene.sent?.proxy?.isTunnel == true {
      scene.refuseTunnel(scheme, with: memory)
    } else {
      scene.refuseAtProxy(scheme, with: memory)
    }
    #expect(scene.question?.space.proxyType == .http)
    scene.answer(.useCredential(TaskScene.password("proxy", .none)), memory)
    return scene
  }

  private func request(_ scene: TaskScene) -> [String] {
    guard let sent = scene.sent, let way = sent.proxy else { return ["nothing"] }
    return [sent.method, "\(way.tunnel)", scene.proxyAuthorization ?? "-", scene.authorization ?? "-"]
  }

  @Test mutating func eachMessageIsARequestForTheTunnelUntilThereIsOne() {
    var scene = asked("NTLM", Self.scene())
    #expect(scene.negotiation?.host == "p.example" && scene.negotiation?.input == nil)
    scene.make("negotiate", isComplete: false, memory)
    #expect(request(scene) == ["CONNECT", "requested", "NTLM \(Self.first)", "-"])
    #expect(scene.sent?.binding?.requiresReuse == false)
    scene.refuseAtProxy("NTLM \(Self.second)", with: memory)
    #expect(scene.negotiation?.input == Self.second)
    scene.make("negotiate", memory)
    #expect(request(scene) == ["CONNECT", "requested", "NTLM \(Self.first)", "-"])
    #expect(scene.sent?.binding?.requiresReuse == true)
    scene.head(200, [], memory)
    #expect(scene.fate == .discard)
    scene.end(memory)
    #expect(request(scene) == ["GET", "open", "-", "-"])
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func eachHeadOfTheProxyIsToldOnceAndARefusalWhenItIsAnswered() {
    memory.store(TaskScene.password("origin"), for: TaskScene.space("staff"), owner: nil, now: 0)
    var scene = asked("NTLM", Self.scene())
    func told() -> [String] {
      defer { scene.passedHeads = [] }
      return scene.passedHeads.map { "\($0.hop) \($0.head.status)" }
    }
    #expect(told() == ["proxy 407"])
    scene.make("negotiate", isComplete: false, memory)
    scene.refuseAtProxy("NTLM \(Self.second)", with: memory)
    scene.make("negotiate", memory)
    scene.head(200, [], memory)
    scene.end(memory)
    #expect(told() == ["proxy 407", "proxy 200"])
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(told() == ["origin 401"])
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(told().isEmpty, "nothing answers it: it is the result")
  }

  @Test mutating func theOriginIsPreparedWhenThereIsATunnel() {
    memory.store(TaskScene.password("origin"), for: TaskScene.space("staff"), owner: nil, now: 0)
    var scene = asked("Negotiate", Self.scene())
    scene.make("negotiate", isComplete: false, memory)
    scene.head(200, [], memory)
    scene.end(memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(request(scene).prefix(3) == ["GET", "open", "-"] && scene.authorization != nil)
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  /// What the step before has carried is not prepared for the origin that a redirect leads to.
  @Test mutating func aRefusedTunnelToAnotherOriginBringsNoCredentialBack() {
    memory.store(TaskScene.password("origin"), for: TaskScene.space("staff"), owner: nil, now: 0)
    var scene = asked("NTLM", Self.scene())
    func openTunnel() {
      scene.make("negotiate", isComplete: false, memory)
      scene.refuseAtProxy("NTLM \(Self.second)", with: memory)
      scene.make("negotiate", memory)
      scene.head(200, [], memory)
      scene.end(memory)
    }
    openTunnel()
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(scene.authorization != nil)
    scene.redirect(to: "b.example", with: memory)
    openTunnel()
    #expect(scene.sent?.url.origin.host == "b.example")
    #expect(request(scene) == ["GET", "open", "-", "-"])
  }

  @Test mutating func aTokenOfTheProxyIsVerifiedBeforeAnythingGoesThroughItsTunnel() {
    for isGenuine in [true, false] {
      memory = SessionMemory()
      var scene = asked("Negotiate", Self.scene())
      scene.make("negotiate", isComplete: false, memory)
      scene.head(200, [HeaderField("Proxy-Authenticate", "Negotiate \(Self.second)")], memory)
      #expect(scene.fate == .wait && scene.negotiation?.input == Self.second)
      scene.endAlone(nil, memory)
      #expect(scene.sent == nil)
      scene.negotiated(isGenuine ? .established(.kerberos) : .failed(.tokenRefused), memory)
      if isGenuine {
        #expect(request(scene) == ["GET", "open", "-", "-"])
      } else {
        #expect(scene.failure == .authenticationAtProxy(.serverNotAuthenticated))
      }
    }
  }

  @Test mutating func withoutATunnelTheRequestItselfCarriesTheTokens() {
    var scene = asked("NTLM", Self.scene(scheme: .http, body: .replayable))
    scene.make("negotiate", isComplete: false, memory)
    #expect(request(scene) == ["POST", "implicit", "NTLM \(Self.first)", "-"])
    #expect(scene.sent?.sendsBody == false)
    scene.refuseAtProxy("NTLM \(Self.second)", with: memory)
    scene.make("negotiate", memory)
    #expect(scene.sent?.sendsBody == true && scene.sent?.binding?.requiresReuse == true)
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  /// The server may have another key than the cached ticket is for: another ticket is tried, once.
  @Test mutating func aRefusedTokenIsReplacedOnceAndThenRefusesTheCredential() {
    var scene = asked("Negotiate", Self.scene(scheme: .http))
    for round in 1...2 {
      #expect(scene.negotiation?.renewsTicket == (round == 2) && scene.negotiation?.input == nil)
      scene.make("negotiate", isComplete: false, memory)
      scene.refuseAtProxy("Negotiate \(Self.second)", with: memory)
      #expect(scene.negotiation?.input == Self.second && scene.negotiation?.renewsTicket == false)
      scene.negotiated(.refused(.clockSkew), memory)
    }
    #expect(scene.question?.previousFailureCount == 1 && scene.question?.fault == .clockSkew)
    #expect(scene.negotiation == nil)
  }

  /// A second try of a password would count as a second bad login.
  @Test mutating func aRefusedPasswordIsNotSentAgain() {
    var scene = asked("Negotiate", Self.scene(scheme: .http))
    scene.make("negotiate", isComplete: false, memory)
    scene.refuseAtProxy("Negotiate \(Self.second)", with: memory)
    scene.negotiated(.refused(.credentialRefused), memory)
    #expect(scene.question?.previousFailureCount == 1 && scene.question?.fault == .credentialRefused)
  }

  @Test mutating func aForwardedResponseWaitsForTheProofOfTheProxyAndIsTheOrigins() {
    var scene = asked("Negotiate", Self.scene(scheme: .http))
    scene.make("negotiate", isComplete: false, memory)
    let proof = HeaderField("Proxy-Authenticate", "Negotiate \(Self.second)")
    scene.head(401, [proof, HeaderField("WWW-Authenticate", TaskScene.basic("staff"))], memory)
    #expect(scene.fate == .wait)
    scene.negotiated(.established(.kerberos), memory)
    scene.end(memory)
    #expect(scene.question?.space.realm == "staff" && scene.question?.space.isProxy == false)
  }

  @Test mutating func aLostTunnelIsAskedForAgainAFewTimes() {
    var scene = asked("NTLM", Self.scene())
    for _ in 0..<AuthenticationStateMachine.restartLimit {
      scene.make("negotiate", memory)
      scene.head(200, [], memory)
      scene.end(memory)
      #expect(request(scene) == ["GET", "open", "-", "-"])
      scene.endAlone(.boundConnectionLost, memory)
      #expect(scene.negotiation?.input == nil && scene.negotiation != nil)
    }
    scene.make("negotiate", memory)
    scene.endAlone(.boundConnectionLost, memory)
    #expect(scene.failure == .authenticationAtProxy(.negotiation(.failed)))
  }

  @Test mutating func whoLosesTheConnectionAfterEachTokenEndsTheTask() {
    var scene = asked("NTLM", Self.scene(scheme: .http))
    var rounds = 0
    while scene.negotiation != nil, rounds < 1000 {
      scene.make("negotiate", isComplete: false, memory)
      scene.head(407, [HeaderField("Proxy-Authenticate", "NTLM \(Self.second)")], memory)
      let loss = ConnectionLoss(isBeforeFirstByte: false)
      scene.endAlone(.atProxy(.connectionLost(loss)), memory)
      rounds += 1
    }
    #expect(rounds <= AuthenticationStateMachine.roundLimit + 1)
  }

  @Test mutating func anotherAnswerThanATunnelIsTheProxysFailureWithoutItsPage() {
    var scene = asked("NTLM", Self.scene())
    scene.make("negotiate", memory)
    scene.head(503, [], memory)
    #expect(scene.fate == .discard)
    guard case .transport(.proxyRefused(let head))? = scene.failure else {
      Issue.record("\(String(describing: scene.failure))")
      return
    }
    #expect(head.status == 503)
  }

  @Test mutating func anHTTPSProxyGetsItsTokenWithTheTransportsOwnRequest() {
    var scene = Self.scene(.https)
    scene.begin(memory)
    scene.refuseTunnel("NTLM", "Negotiate", with: memory)
    #expect(scene.question?.space.authenticationMethod == .negotiate)
    scene.answer(.useCredential(TaskScene.password("proxy", .none)), memory)
    scene.make("negotiate", isComplete: false, memory)
    #expect(request(scene) == ["GET", "implicit", "Negotiate \(Self.first)", "-"])
    scene.openTunnel(memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    scene.answer(.useCredential(TaskScene.password("origin")), memory)
    #expect(request(scene).prefix(3) == ["GET", "implicit", "-"])
    // The tunnel is gone, and the proxy asks for a token for the next one: nothing is refused.
    scene.refuseTunnel("Negotiate", with: memory)
    #expect(scene.question == nil && scene.negotiation?.input == nil && scene.negotiation != nil)
    scene.make("negotiate", isComplete: false, memory)
    scene.refuseTunnel("Negotiate", with: memory)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test mutating func ntlmIsNoOfferOfAnHTTPSProxy() {
    var scene = Self.scene(.https)
    scene.begin(memory)
    scene.refuseTunnel("NTLM", with: memory)
    guard case .proxyAuthentication? = scene.failure else {
      Issue.record("\(String(describing: scene.failure))")
      return
    }
  }

  @Test mutating func whoAsksHoldsNoTunnel() {
    var scene = asked("NTLM", Self.scene())
    scene.make("negotiate", memory)
    scene.head(200, [], memory)
    scene.end(memory)
    scene.refuse(TaskScene.basic("staff"), with: memory)
    #expect(scene.question != nil)
    #expect(!scene.machine.isOnBoundConnection(at: .proxy))
    scene.answer(.useCredential(TaskScene.password("origin")), memory)
    #expect(scene.machine.isOnBoundConnection(at: .proxy))
  }
}
