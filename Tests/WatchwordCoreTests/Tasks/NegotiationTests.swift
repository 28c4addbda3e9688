import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Connections to an origin that are authenticated, token by token (methods.md 14).
struct NegotiationTests {
  private static let space = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .negotiate)

  private var cache = CredentialCache()

  /// A task that makes its first token, for the credential that answered its question.
  private mutating func asked(
    _ scheme: String = "Negotiate", _ scene: TaskScene = .negotiating()
  ) -> TaskScene {
    var scene = scene
    scene.askToNegotiate(scheme, &cache)
    return scene
  }

  // MARK: Later tasks

  @Test mutating func anAuthenticatedConnectionNeedsNoToken() {
    TaskScene.authenticateConnection(&cache)
    var later = TaskScene.negotiating(2)
    later.begin(&cache)
    #expect(later.isExchanging && later.negotiation == nil && later.authorization == nil)
    #expect(later.machine.isOnBoundConnection(at: .origin) && later.sent?.binding == nil)
    #expect(
      later.machine.mechanismInUse == .kerberos && later.machine.authentication.methodInUse == .negotiate)
    #expect(later.machine.authentication.sent?.isPreemptive == true)
    later.succeed(cache: &cache)
    #expect(later.isDelivered)
  }

  @Test(arguments: [InnerMechanism.kerberos, .ntlm])
  mutating func theMechanismIsThatOfTheConnection(_ mechanism: InnerMechanism) {
    var first = asked()
    first.make("token", isComplete: false, &cache)
    #expect(first.machine.mechanismInUse == nil, "the server has not answered the token")
    first.head(200, TaskScene.proof(TaskScene.serverToken), &cache)
    first.negotiated(.established(mechanism), &cache)
    #expect(first.machine.mechanismInUse == mechanism)
  }

  @Test mutating func ntlmHasNoMechanismInside() {
    var scene = asked("NTLM")
    scene.make("negotiate", &cache)
    scene.head(200, [], &cache)
    #expect(scene.machine.authentication.methodInUse == .ntlm && scene.machine.mechanismInUse == nil)
  }

  /// Whether a server that refuses a request on an authenticated connection wants a token with each one (14.5).
  @Test(arguments: [true, false])
  mutating func aRefusalOnAnAuthenticatedConnectionIsAnsweredWithAToken(_ isStillTheSame: Bool) {
    TaskScene.authenticateConnection(&cache)
    var second = TaskScene.negotiating(2)
    second.begin(&cache)
    second.reusesConnection = isStillTheSame
    second.head(401, [HeaderField("WWW-Authenticate", "Negotiate")], &cache)
    #expect(second.fate == .hold, "the token may not be made, and the refusal is the result then")
    second.end(&cache)
    #expect(second.question == nil && second.negotiation?.input == nil && second.negotiation != nil)
    second.prove(&cache)
    #expect(second.isDelivered)
    cache.bound.end(TaskIdentifier(2))
    var third = TaskScene.negotiating(3)
    third.begin(&cache)
    #expect((third.negotiation != nil) == isStillTheSame)
  }

  @Test mutating func withoutAnOfferARefusalOnAnAuthenticatedConnectionIsNotAnsweredWithAToken() {
    TaskScene.authenticateConnection(&cache)
    var second = TaskScene.negotiating(2)
    second.begin(&cache)
    second.refuse(TaskScene.basic(), cache: &cache)
    #expect(second.negotiation == nil && second.question?.space == TaskScene.space())
    #expect(!second.machine.isOnBoundConnection(at: .origin))
    var third = TaskScene(TaskScene.url("/e"), policy: TaskScene.everyMethod)
    third.number = 3
    third.begin(&cache)
    #expect(third.negotiation != nil, "the server does not take the connection for authenticated")
  }

  @Test mutating func aLostConnectionIsNotAuthenticated() {
    TaskScene.authenticateConnection(&cache)
    var second = TaskScene.negotiating(2)
    second.begin(&cache)
    second.endAlone(.boundConnectionLost, &cache)
    #expect(second.negotiation != nil && second.negotiation?.input == nil)
    second.stop(.cancelled)
    cache.bound.end(TaskIdentifier(2))
    var third = TaskScene.negotiating(3)
    third.begin(&cache)
    #expect(third.negotiation != nil)
  }

  /// The server has asked for that token.
  @Test mutating func theTokenThatAnswersALaterRefusalNeedsAProof() {
    TaskScene.authenticateConnection(&cache)
    var second = TaskScene.negotiating(2)
    second.begin(&cache)
    second.refuse("Negotiate", cache: &cache)
    second.make("token", isComplete: false, &cache)
    second.head(200, [], &cache)
    #expect(second.failure == .authentication(.serverNotAuthenticated))
  }

  /// Its password may have changed: no connection that was authenticated with it is used again.
  @Test mutating func aRefusedCredentialLosesAllOfItsConnections() {
    TaskScene.authenticateConnection(&cache)
    var (holder, refused) = (TaskScene.negotiating(2), TaskScene.negotiating(3))
    holder.begin(&cache)
    let account = cache.bound.connection(of: .init(task: TaskIdentifier(2), hop: .origin))
    #expect(account != nil)
    refused.begin(&cache)
    refused.make("token", &cache)
    refused.refuse("Negotiate", cache: &cache)
    #expect(refused.question?.previousFailureCount == 1)
    for number: UInt64 in [2, 3] { cache.bound.end(TaskIdentifier(number)) }
    #expect(cache.bound.takeEnded().count == 1)
  }

  /// A negotiation is one use, whatever the number of its tokens, and with it the one after a lost connection.
  @Test(arguments: [Persistence.none, .forSession], [false, true])
  mutating func aCredentialForOneUseAuthenticatesOneConnection(_ persistence: Persistence, isLostFirst: Bool)
  {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var scene = TaskScene.negotiating()
    scene.begin(&cache)
    scene.refuse("NTLM", cache: &cache)
    scene.answer(.tryCredential(TaskScene.password("x", persistence, limits: limits)), &cache)
    scene.make("negotiate", isComplete: false, &cache)
    if isLostFirst {
      scene.endAlone(.boundConnectionLost, &cache)
      scene.make("negotiate again", isComplete: false, &cache)
    }
    #expect(scene.sent?.authorization != nil)
    scene.refuse("NTLM \(TaskScene.serverToken)", cache: &cache)
    scene.make("authenticate", &cache)
    #expect(scene.sent?.authorization != nil)
  }

  @Test mutating func aTaskWaitsForOneOfAsManyConnectionsAsAreAllowed() {
    cache.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var tasks = (1...3).map { TaskScene.negotiating($0, limit: 2) }
    for index in tasks.indices {
      tasks[index].begin(&cache)
      tasks[index].refuse("Negotiate", cache: &cache)
    }
    // Until a server has taken the credential, one task tries it.
    #expect(tasks.map { $0.negotiation != nil } == [true, false, false])
    tasks[0].prove(&cache)
    for index in 1...2 { tasks[index].turnCame(&cache) }
    #expect(tasks.map(\.isExchanging) == [false, false, false])
    cache.bound.end(TaskIdentifier(1))
    let granted = cache.bound.takeGranted()
    #expect(granted.map(\.task.number) == [3])
    tasks[2].turnCame(&cache)
    #expect(tasks[2].isExchanging && tasks[2].authorization == nil)
  }

  @Test mutating func aCredentialThatIsReplacedWhileItsTokenIsMadeIsNotSent() {
    TaskScene.authenticateConnection(&cache)
    var task = TaskScene.negotiating(2)
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
      scene.refuse("\(scheme) \(TaskScene.serverToken)", cache: &cache)
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
    scene.head(200, TaskScene.proof(token), &cache)
    #expect(scene.negotiation?.input == (isShort ? token : nil))
    #expect((scene.failure == .authentication(.serverNotAuthenticated)) == !isShort)
  }

  /// The server ends each of its connections, so that no one negotiation counts.
  @Test mutating func refusalsOfATaskAreCountedInAllNegotiations() {
    var redirects = RedirectPolicy()
    redirects.limit = 1000
    cache.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var scene = TaskScene(policy: TaskScene.everyMethod, budget: 1000, redirects: redirects)
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
      var scene = asked(scheme, TaskScene.negotiating(method: "POST", body: .replayable))
      scene.make("token", isComplete: isComplete, &cache)
      #expect(scene.sent?.sendsBody == sendsBody, "\(scheme) \(isComplete)")
    }
  }

  // MARK: Proof

  @Test mutating func aResponseCountsOnlyWithTheServersLastToken() {
    let proofs: [(status: Int, [HeaderField], isComplete: Bool, String)] = [
      (200, TaskScene.proof(TaskScene.serverToken), false, "verify"),
      (200, [], true, "delivered"),
      (200, [], false, "not authenticated"),
      (200, TaskScene.proof(""), false, "not authenticated"),
      (200, TaskScene.proof(TaskScene.serverToken, TaskScene.serverToken), false, "not authenticated"),
      (200, TaskScene.proof(TaskScene.serverToken), true, "not authenticated"),
      (499, [], false, "not authenticated"),
      (500, [], false, "delivered"),
      (500, TaskScene.proof(TaskScene.serverToken), false, "verify"),
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
    TaskScene.authenticateConnection(&cache)
    var holder = TaskScene.negotiating(2)
    holder.begin(&cache)
    #expect(holder.isExchanging)
    var second = TaskScene.negotiating(3)
    second.begin(&cache)
    #expect(second.negotiation?.input == nil && second.negotiation != nil, "the connection is in use")
    second.make("token", isComplete: false, &cache)
    second.succeed(cache: &cache)
    #expect(second.isDelivered)
    cache.bound.end(TaskIdentifier(3))
    var third = TaskScene.negotiating(4)
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
      var scene = TaskScene.negotiating()
      scene.begin(&cache)
      scene.refuse(scheme, cache: &cache)
      scene.make("token", &cache)
      scene.succeed(status, cache: &cache)
      #expect(scene.isDelivered)
      cache.bound.end(TaskIdentifier(1))
      var later = TaskScene.negotiating(2)
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
    scene.head(200, TaskScene.proof(TaskScene.serverToken), &cache)
    scene.negotiated(.failed(.ticketExpired), &cache)
    #expect(scene.failure == .authentication(.negotiation(.ticketExpired)))
    if case .inconclusive? = scene.report {} else { Issue.record("others may try the credential") }
  }

  // MARK: Channel binding

  @Test mutating func tokensAreBoundToTheServersCertificate() {
    var first = TaskScene.negotiating()
    first.serverEndPoint = [1, 2]
    first = asked("Negotiate", first)
    #expect(first.negotiation?.serverEndPoint == [1, 2])
    first.prove(&cache)
    // The first connection is in use.
    var second = TaskScene.negotiating(2)
    second.begin(&cache)
    #expect(second.negotiation?.serverEndPoint == [1, 2], "known without a refusal")
    second.make("token", isComplete: false, &cache)
    #expect(second.sent?.binding?.serverEndPoint == [1, 2])
    second.serverEndPoint = [3]
    second.refuse("Negotiate \(TaskScene.serverToken)", cache: &cache)
    #expect(second.negotiation?.serverEndPoint == [3])
  }
}
