import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Connections to an origin that are authenticated, token by token (methods.md 14).
struct NegotiationTests {
  private static let policy: MethodPolicy = {
    var policy = MethodPolicy()
    policy.disabled = []
    return policy
  }()
  private static let serverToken = "Y2hhbGxlbmdl"
  private static let space = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .negotiate)

  private var cache = CredentialCache()

  private static func scene(
    _ number: UInt64 = 1, method: String = "GET", body: RedirectHop.Body = .none, budget: Int = 5,
    limit: Int = 6
  ) -> TaskScene {
    var scene = TaskScene(
      method: method, body: body, policy: policy, budget: budget, connectionLimit: limit)
    scene.number = number
    return scene
  }

  /// A task that makes its first token, for the credential that answered its question.
  private mutating func asked(
    _ scheme: String = "Negotiate", _ scene: TaskScene = scene(), _ persistence: Persistence = .forSession
  ) -> TaskScene {
    var scene = scene
    scene.begin(&cache)
    scene.refuse(scheme, cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x", persistence)), &cache)
    return scene
  }

  private static func proof(_ tokens: String...) -> [HeaderField] {
    tokens.map { HeaderField("WWW-Authenticate", "Negotiate \($0)") }
  }

  /// The server takes the token and proves itself.
  private mutating func prove(_ scene: inout TaskScene, _ mechanism: InnerMechanism = .kerberos) {
    scene.make("token", isComplete: false, &cache)
    scene.head(200, Self.proof(Self.serverToken), &cache)
    scene.negotiated(.established(mechanism), &cache)
    if case .accepted(let credential, let space, let authenticator, let scope)? = scene.report {
      cache.store(credential, for: space, authenticator: authenticator, scope: scope, owner: 1, now: 0)
    }
    scene.end(&cache)
  }

  /// The session has an authenticated connection that no task uses.
  private mutating func warm() {
    var first = asked()
    prove(&first)
    #expect(first.isDelivered)
    cache.bound.end(TaskIdentifier(1))
  }

  // MARK: Later tasks

  @Test mutating func anAuthenticatedConnectionNeedsNoToken() {
    warm()
    var later = Self.scene(2)
    later.begin(&cache)
    #expect(later.isExchanging && later.negotiation == nil && later.authorization == nil)
    #expect(later.machine.isOnBoundConnection(at: .origin) && later.sent?.binding == nil)
    #expect(later.machine.mechanismInUse == .kerberos && later.machine.methodInUse == .negotiate)
    #expect(later.machine.isPreemptive)
    later.succeed(cache: &cache)
    #expect(later.isDelivered)
  }

  @Test(arguments: [InnerMechanism.kerberos, .ntlm])
  mutating func theMechanismIsThatOfTheConnection(_ mechanism: InnerMechanism) {
    var first = asked()
    first.make("token", isComplete: false, &cache)
    #expect(first.machine.mechanismInUse == nil, "the server has not answered the token")
    first.head(200, Self.proof(Self.serverToken), &cache)
    first.negotiated(.established(mechanism), &cache)
    #expect(first.machine.mechanismInUse == mechanism)
  }

  @Test mutating func ntlmHasNoMechanismInside() {
    var scene = asked("NTLM")
    scene.make("negotiate", &cache)
    scene.head(200, [], &cache)
    #expect(scene.machine.methodInUse == .ntlm && scene.machine.mechanismInUse == nil)
  }

  /// Whether a server that refuses a request on an authenticated connection wants a token with each one (14.5).
  @Test(arguments: [true, false])
  mutating func aRefusalOnAnAuthenticatedConnectionIsAnsweredWithAToken(_ isStillTheSame: Bool) {
    warm()
    var second = Self.scene(2)
    second.begin(&cache)
    second.reusesConnection = isStillTheSame
    second.head(401, [HeaderField("WWW-Authenticate", "Negotiate")], &cache)
    #expect(second.fate == .hold, "the token may not be made, and the refusal is the result then")
    second.end(&cache)
    #expect(second.question == nil && second.negotiation?.input == nil && second.negotiation != nil)
    prove(&second)
    #expect(second.isDelivered)
    cache.bound.end(TaskIdentifier(2))
    var third = Self.scene(3)
    third.begin(&cache)
    #expect((third.negotiation != nil) == isStillTheSame)
  }

  @Test mutating func withoutAnOfferARefusalOnAnAuthenticatedConnectionIsNotAnsweredWithAToken() {
    warm()
    var second = Self.scene(2)
    second.begin(&cache)
    second.refuse(TaskScene.basic(), cache: &cache)
    #expect(second.negotiation == nil && second.question?.space == TaskScene.space())
    #expect(!second.machine.isOnBoundConnection(at: .origin))
  }

  @Test mutating func aTaskWaitsForOneOfAsManyConnectionsAsAreAllowed() {
    cache.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var tasks = (1...3).map { Self.scene($0, limit: 2) }
    for index in tasks.indices {
      tasks[index].begin(&cache)
      tasks[index].refuse("Negotiate", cache: &cache)
    }
    // Until a server has taken the credential, one task tries it.
    #expect(tasks.map { $0.negotiation != nil } == [true, false, false])
    prove(&tasks[0])
    for index in 1...2 { tasks[index].turnCame(&cache) }
    #expect(tasks.map(\.isExchanging) == [false, false, false])
    cache.bound.end(TaskIdentifier(1))
    let granted = cache.bound.takeGranted()
    #expect(granted.map(\.task.number) == [3])
    tasks[2].turnCame(&cache)
    #expect(tasks[2].isExchanging && tasks[2].authorization == nil)
  }

  @Test mutating func aCredentialThatIsReplacedWhileItsTokenIsMadeIsNotSent() {
    warm()
    var task = Self.scene(2)
    cache.store(TaskScene.password("y"), for: Self.space, owner: 1, now: 0)
    task.begin(&cache)
    task.refuse("Negotiate", cache: &cache)
    let first = task.negotiation
    #expect(first?.credential == TaskScene.password("y").kind)
    cache.store(TaskScene.password("z"), for: Self.space, owner: 1, now: 0)
    task.make("of y", &cache)
    #expect(task.sent == nil && task.negotiation?.credential == TaskScene.password("z").kind)
    #expect(task.negotiation?.account != first?.account && task.negotiation?.input == nil)
  }

  // MARK: Tokens

  @Test(arguments: ["Negotiate", "NTLM"])
  mutating func aNegotiationHasABoundedNumberOfTokens(_ scheme: String) {
    var scene = asked(scheme)
    var count = 0
    while scene.negotiation != nil, count < 100 {
      scene.make("token", isComplete: false, &cache)
      #expect(scene.sent?.binding?.requiresReuse == (count > 0))
      count += 1
      scene.refuse("\(scheme) \(Self.serverToken)", cache: &cache)
    }
    #expect(count == AuthenticationStateMachine.tokenLimit)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test(arguments: [65_536, 65_540])
  mutating func aTokenOfTheServerHasABoundedLength(_ count: Int) {
    let token = String(repeating: "A", count: count)
    let isShort = count <= AuthenticationStateMachine.maximumTokenBytes
    var scene = asked("NTLM")
    scene.make("negotiate", isComplete: false, &cache)
    scene.refuse("NTLM \(token)", cache: &cache)
    #expect(scene.negotiation?.input == (isShort ? token : nil))
    #expect((scene.question == nil) == isShort)
    cache = CredentialCache()
    scene = asked()
    scene.make("token", isComplete: false, &cache)
    scene.head(200, Self.proof(token), &cache)
    #expect(scene.negotiation?.input == (isShort ? token : nil))
    #expect((scene.failure == .authentication(.serverNotAuthenticated)) == !isShort)
  }

  /// The server ends each of its connections, so that no one negotiation counts.
  @Test mutating func refusalsOfATaskAreCountedInAllNegotiations() {
    var redirects = RedirectPolicy()
    redirects.limit = 1000
    cache.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var scene = TaskScene(policy: Self.policy, budget: 1000, redirects: redirects)
    scene.begin(&cache)
    scene.refuse("Negotiate", cache: &cache)
    var answered = 0
    while scene.negotiation != nil, answered < 1000 {
      scene.make("token", &cache)
      scene.head(302, [HeaderField("Location", "a.example")], &cache)
      scene.end(&cache)
      #expect(scene.isExchanging && scene.authorization == nil)
      scene.refuse("Negotiate", cache: &cache)
      answered += 1
    }
    #expect(answered == AuthenticationStateMachine.roundLimit)
  }

  @Test mutating func onlyTheFirstRequestOfNTLMGoesWithoutItsBody() {
    let bodies: [(String, isComplete: Bool, sendsBody: Bool)] = [
      ("NTLM", false, false), ("NTLM", true, true), ("Negotiate", false, true), ("Negotiate", true, true),
    ]
    for (scheme, isComplete, sendsBody) in bodies {
      cache = CredentialCache()
      var scene = asked(scheme, Self.scene(method: "POST", body: .replayable))
      scene.make("token", isComplete: isComplete, &cache)
      #expect(scene.sent?.sendsBody == sendsBody, "\(scheme) \(isComplete)")
    }
  }

  // MARK: Proof

  @Test mutating func aResponseCountsOnlyWithTheServersLastToken() {
    let proofs: [(status: Int, [HeaderField], isComplete: Bool, String)] = [
      (200, Self.proof(Self.serverToken), false, "verify"),
      (200, [], true, "delivered"),
      (200, [], false, "not authenticated"),
      (200, Self.proof(""), false, "not authenticated"),
      (200, Self.proof(Self.serverToken, Self.serverToken), false, "not authenticated"),
      (200, Self.proof(Self.serverToken), true, "not authenticated"),
      (499, [], false, "not authenticated"),
      (500, [], false, "delivered"),
      (500, Self.proof(Self.serverToken), false, "verify"),
    ]
    for (status, fields, isComplete, expected) in proofs {
      cache = CredentialCache()
      var scene = asked()
      scene.make("token", isComplete: isComplete, &cache)
      scene.head(status, fields, &cache)
      let found =
        scene.negotiation != nil
        ? "verify"
        : scene.failure == .authentication(.serverNotAuthenticated)
          ? "not authenticated" : scene.fate == .deliver ? "delivered" : "else"
      #expect(found == expected, "\(status) \(fields) \(isComplete)")
    }
  }

  /// Who does not have to answer a token has not asked for it (14.8).
  @Test mutating func aTokenThatWasSentUnaskedNeedsNoProof() {
    warm()
    var holder = Self.scene(2)
    holder.begin(&cache)
    #expect(holder.isExchanging)
    var second = Self.scene(3)
    second.begin(&cache)
    #expect(second.negotiation?.input == nil && second.negotiation != nil, "the connection is in use")
    second.make("token", isComplete: false, &cache)
    second.succeed(cache: &cache)
    #expect(second.isDelivered)
    cache.bound.end(TaskIdentifier(3))
    var third = Self.scene(4)
    third.begin(&cache)
    #expect(third.negotiation != nil, "that connection is not authenticated")
  }

  @Test(arguments: ["Negotiate", "NTLM"])
  mutating func anErrorOfTheServersOwnAuthenticatesNoConnection(_ scheme: String) {
    for status in [404, 500] {
      cache = CredentialCache()
      let space = ProtectionSpace(
        origin: TaskScene.origin, realm: nil, authenticationMethod: scheme == "NTLM" ? .ntlm : .negotiate)
      cache.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
      var scene = Self.scene()
      scene.begin(&cache)
      scene.refuse(scheme, cache: &cache)
      scene.make("token", &cache)
      scene.succeed(status, cache: &cache)
      #expect(scene.isDelivered)
      cache.bound.end(TaskIdentifier(1))
      var later = Self.scene(2)
      later.begin(&cache)
      later.refuse(scheme, cache: &cache)
      #expect(later.negotiation != nil)
      #expect(cache.bound.connection(of: .init(task: TaskIdentifier(2), hop: .origin)) != nil)
      #expect((later.machine.authentication.roundCount == 1) == (status == 404), "\(status)")
    }
  }

  @Test mutating func aTicketThatEndsWhileTheServerAnswersIsNoSignOfAnImpostor() {
    var scene = asked()
    scene.make("token", isComplete: false, &cache)
    scene.head(200, Self.proof(Self.serverToken), &cache)
    scene.negotiated(.failed(.ticketExpired), &cache)
    #expect(scene.failure == .authentication(.negotiation(.ticketExpired)))
    if case .inconclusive? = scene.report {} else { Issue.record("others may try the credential") }
  }

  // MARK: Channel binding

  @Test mutating func tokensAreBoundToTheServersCertificate() {
    var first = Self.scene()
    first.serverEndPoint = [1, 2]
    first = asked("Negotiate", first)
    #expect(first.negotiation?.serverEndPoint == [1, 2])
    prove(&first)
    // The first connection is in use.
    var second = Self.scene(2)
    second.begin(&cache)
    #expect(second.negotiation?.serverEndPoint == [1, 2], "known without a refusal")
    second.make("token", isComplete: false, &cache)
    #expect(second.sent?.binding?.serverEndPoint == [1, 2])
    second.serverEndPoint = [3]
    second.refuse("Negotiate \(Self.serverToken)", cache: &cache)
    #expect(second.negotiation?.serverEndPoint == [3])
  }

  // MARK: Credentials that cannot be used

  @Test mutating func aFaultOfTheServersEndsTheTask() {
    for outcome in [
      NegotiationOutcome.failed(.tokenRefused), .failed(.mechanismRefused), .established(.kerberos),
    ] {
      cache = CredentialCache()
      var scene = asked()
      scene.negotiated(outcome, &cache)
      let fault = outcome == .failed(.mechanismRefused) ? NegotiationFault.mechanismRefused : .tokenRefused
      #expect(scene.failure == .authentication(.negotiation(fault)))
      if case .inconclusive? = scene.report {} else { Issue.record("others may try it: \(outcome)") }
    }
  }

  @Test mutating func othersLearnWhetherATriedCredentialWasRefused() {
    let reports: [(NegotiationFault, isTried: Bool, String)] = [
      (.credentialRefused, true, "refused"), (.ticketMissing, true, "inconclusive"),
      (.credentialRefused, false, "-"), (.ticketMissing, false, "-"),
    ]
    for (fault, isTried, expected) in reports {
      cache = CredentialCache()
      var scene = Self.scene()
      scene.begin(&cache)
      scene.refuse("Negotiate", cache: &cache)
      let credential = TaskScene.password("x")
      scene.answer(isTried ? .tryCredential(credential) : .useCredential(credential), &cache)
      scene.negotiated(.failed(fault), &cache)
      let found = scene.report.map { "\($0)".prefix { $0 != "(" } } ?? "-"
      #expect(found == expected, "\(fault) \(isTried)")
      #expect(scene.question?.fault == fault)
    }
  }

  @Test(arguments: [1, 2]) mutating func aRefusedPasswordCountsAgainstTheLimitOfRefusals(_ budget: Int) {
    var scene = asked("Negotiate", Self.scene(budget: budget))
    scene.negotiated(.failed(.credentialRefused), &cache)
    #expect(scene.isDelivered == (budget == 1) && (scene.question == nil) == (budget == 1))
  }

  @Test mutating func whatCannotBeSentUnaskedLeadsToARequestWithout() {
    warm()
    var holder = Self.scene(2)
    holder.begin(&cache)
    var scene = Self.scene(3)
    scene.begin(&cache)
    scene.negotiated(.failed(.ticketExpired), &cache)
    #expect(scene.isExchanging && scene.authorization == nil)
    #expect(!scene.machine.isOnBoundConnection(at: .origin))
    scene.refuse("Negotiate", cache: &cache)
    #expect(scene.question?.fault == .ticketExpired && scene.question?.previousFailureCount == 0)
  }

  // MARK: The daemon's own tickets

  @Test mutating func ticketsOfTheDaemonGoOnlyToTheOriginsThatAreListed() {
    let named = RequestURL.Userinfo(user: "joe", password: nil)
    let uses: [(Set<Origin>, RequestURL.Userinfo?, String, isUsed: Bool)] = [
      ([TaskScene.origin], nil, "Negotiate", true), ([], nil, "Negotiate", false),
      ([TaskScene.url(host: "b.example").origin], nil, "Negotiate", false),
      ([TaskScene.origin], named, "Negotiate", false), ([TaskScene.origin], nil, "NTLM", false),
    ]
    for (origins, userinfo, scheme, isUsed) in uses {
      cache = CredentialCache()
      var scene = TaskScene(
        TaskScene.url(userinfo: userinfo), policy: Self.policy, ambientOrigins: origins)
      scene.begin(&cache)
      scene.refuse(scheme, cache: &cache)
      #expect((scene.negotiation?.credential == .kerberos(.defaultCache)) == isUsed)
      #expect((scene.question == nil) == isUsed, "\(origins) \(scheme)")
    }
  }

  @Test(arguments: [NegotiationFault.ticketMissing, .credentialRefused])
  mutating func ticketsThatCannotBeUsedAreNotTriedAgain(_ fault: NegotiationFault) {
    var scene = TaskScene(policy: Self.policy, ambientOrigins: [TaskScene.origin])
    scene.begin(&cache)
    scene.refuse("Negotiate", cache: &cache)
    scene.negotiated(.failed(fault), &cache)
    #expect(scene.negotiation == nil && scene.question?.fault == fault)
  }

  @Test mutating func acceptedTicketsOfTheDaemonAreTheSessionsCredential() {
    var scene = TaskScene(policy: Self.policy, ambientOrigins: [TaskScene.origin])
    scene.begin(&cache)
    scene.refuse("Negotiate", cache: &cache)
    prove(&scene)
    #expect(scene.isDelivered)
    #expect(cache.all.map(\.credential.kind) == [.kerberos(.defaultCache)])
    #expect(cache.all.map(\.credential.persistence) == [.forSession])
  }
}
