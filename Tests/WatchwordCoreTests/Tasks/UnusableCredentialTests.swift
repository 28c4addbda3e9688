import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Delegates that give credentials for Negotiate or NTLM that cannot be used, again and again (methods.md 14.11).
struct UnusableCredentialTests {
  private static let faults: [NegotiationFault] = [
    .ticketMissing, .ticketExpired, .credentialMalformed, .serverUnknown, .kdcUnreachable, .clockSkew,
    .timedOut, .unavailable, .failed,
  ]

  private var memory = SessionMemory()

  private static func scene(at hop: Hop) -> TaskScene {
    var policy = MethodPolicy()
    policy.disabled = []
    guard hop == .proxy else { return TaskScene(policy: policy) }
    var rules = ProxyRules(.session)
    let proxy = Proxy(.http, url: TaskScene.url("/", host: "proxy.example", scheme: .http))
    rules.http = ProxyRules.Setting(name: "http", proxy: proxy)
    return TaskScene(TaskScene.url(scheme: .http), policy: policy, proxies: rules)
  }

  private mutating func refuse(_ scene: inout TaskScene, _ hop: Hop, _ challenges: [String]) {
    let field = hop == .proxy ? "Proxy-Authenticate" : "WWW-Authenticate"
    scene.head(hop == .proxy ? 407 : 401, challenges.map { HeaderField(field, $0) }, memory)
    scene.end(memory)
  }

  /// The failures that each question names, with its method, until none is asked.
  private mutating func questions(
    _ scene: inout TaskScene, _ fault: NegotiationFault, password: (Int) -> String
  ) -> [String] {
    var asked: [String] = []
    while let question = scene.question, asked.count < 200 {
      asked.append("\(question.space.authenticationMethod) \(question.previousFailureCount)")
      guard question.space.authenticationMethod != .basic else { break }
      scene.answer(.tryCredential(TaskScene.password(password(asked.count))), memory)
      guard scene.negotiation != nil else { break }
      scene.negotiated(.failed(fault), memory)
    }
    return asked
  }

  @Test(arguments: faults, [Hop.origin, .proxy]) mutating func theSameOneLeadsToTheNextOffer(
    _ fault: NegotiationFault, _ hop: Hop
  ) {
    var scene = Self.scene(at: hop)
    scene.begin(memory)
    refuse(&scene, hop, ["Negotiate", TaskScene.basic()])
    let asked = questions(&scene, fault) { _ in "x" }
    #expect(asked == ["negotiate 0", "negotiate 0", "negotiate 1", "negotiate 2", "basic 0"])
  }

  @Test(arguments: [Hop.origin, .proxy]) mutating func withoutAnotherOfferItEndsTheTask(_ hop: Hop) {
    var scene = Self.scene(at: hop)
    scene.begin(memory)
    refuse(&scene, hop, ["Negotiate"])
    #expect(questions(&scene, .kdcUnreachable) { _ in "x" }.count == 4)
    let failure = AuthenticationFailure.negotiation(.kdcUnreachable)
    #expect(scene.failure == (hop == .proxy ? .authenticationAtProxy(failure) : .authentication(failure)))
  }

  @Test(arguments: [AuthenticationMethod.negotiate, .ntlm], [Hop.origin, .proxy])
  mutating func anotherOneEachTimeComesToAnEndToo(_ method: AuthenticationMethod, _ hop: Hop) {
    var scene = Self.scene(at: hop)
    scene.begin(memory)
    refuse(&scene, hop, [method == .ntlm ? "NTLM" : "Negotiate"])
    let asked = questions(&scene, .credentialMalformed) { "x\($0)" }
    #expect(asked.count == 64 && asked.allSatisfy { $0.hasSuffix(" 0") })
  }

  @Test mutating func twoCredentialsWithOneFaultEachAreNoFailures() {
    var scene = Self.scene(at: .origin)
    scene.begin(memory)
    refuse(&scene, .origin, ["Negotiate"])
    let asked = questions(&scene, .ticketMissing) { $0 % 2 == 0 ? "x" : "y" }
    #expect(asked == ["0", "0", "0", "1", "2"].map { "negotiate " + $0 })
  }
}
