import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Connections to an origin that are authenticated, token by token (methods.md 14).
struct NegotiationTests {
  private static let space = ProtectionSpace(
    origin: TaskScene.origin, realm: nil, authenticationMethod: .negotiate)

  private var memory = SessionMemory()

  /// A task that makes its first token, for the credential that answered its question.
  private mutating func asked(
    _ scheme: String = "Negotiate", _ scene: TaskScene = .negotiating()
  ) -> TaskScene {
    var scene = scene
    scene.askToNegotiate(scheme, memory)
    return scene
  }

  // MARK: Later tasks

  @Test mutating func anAuthenticatedConnectionNeedsNoToken() {
    TaskScene.authenticateConnection(memory)
    var later = TaskScene.negotiating(2)
    later.begin(memory)
    #expect(later.isExchanging && later.negotiation == nil && later.authorization == nil)
    #expect(later.machine.isOnBoundConnection(at: .origin) && later.sent?.binding == nil)
    #expect(
      later.machine.mechanismInUse == .kerberos && later.machine.authentication.methodInUse == .negotiate)
    #expect(later.machine.authentication.sent?.isPreemptive == true)
    later.succeed(with: memory)
    #expect(later.isDelivered)
  }

  @Test(arguments: [InnerMechanism.kerberos, .ntlm])
  mutating func theMechanismIsThatOfTheConnection(_ mechanism: InnerMechanism) {
    var first = asked()
    first.make("token", isComplete: false, memory)
    #expect(first.machine.mechanismInUse == nil, "the server has not answered the token")
    first.head(200, TaskScene.proof(TaskScene.serverToken), memory)
    first.negotiated(.established(mechanism), memory)
    #expect(first.machine.mechanismInUse == mechanism)
  }

  @Test mutating func ntlmHasNoMechanismInside() {
    var scene = asked("NTLM")
    scene.make("negotiate", memory)
    scene.head(200, [], memory)
    #expect(scene.machine.authentication.methodInUse == .ntlm && scene.machine.mechanismInUse == nil)
  }

  /// Whether a server that refuses a request on an authenticated connection wants a token with each one (14.5).
  @Test(arguments: [true, false])
  mutating func aRefusalOnAnAuthenticatedConnectionIsAnsweredWithAToken(_ isStillTheSame: Bool) {
    TaskScene.authenticateConnection(memory)
    var second = TaskScene.negotiating(2)
    second.begin(memory)
    second.reusesConnection = isStillTheSame
    second.head(401, [HeaderField("WWW-Authenticate", "Negotiate")], memory)
    #expect(second.fate == .hold, "the token may not be made, and the refusal is the result then")
    second.end(memory)
    #expect(second.question == nil && second.negotiation?.input == nil && second.negotiation != nil)
    second.prove(memory)
    #expect(second.isDelivered)
    memory.bound.end(TaskIdentifier(2))
    var third = TaskScene.negotiating(3)
    third.begin(memory)
    #expect((third.negotiation != nil) == isStillTheSame)
  }

  @Test mutating func withoutAnOfferARefusalOnAnAuthenticatedConnectionIsNotAnsweredWithAToken() {
    TaskScene.authenticateConnection(memory)
    var second = TaskScene.negotiating(2)
    second.begin(memory)
    second.refuse(TaskScene.basic(), with: memory)
    #expect(second.negotiation == nil && second.question?.space == TaskScene.space())
    #expect(!second.machine.isOnBoundConnection(at: .origin))
    var third = TaskScene(TaskScene.url("/e"), policy: TaskScene.everyMethod)
    third.number = 3
    third.begin(memory)
    #expect(third.negotiation != nil, "the server does not take the connection for authenticated")
  }

  @Test mutating func aLostConnectionIsNotAuthenticated() {
    TaskScene.authenticateConnection(memory)
    var second = TaskScene.negotiating(2)
    second.begin(memory)
    second.endAlone(.boundConnectionLost, memory)
    #expect(second.negotiation != nil && second.negotiation?.input == nil)
    second.stop(.cancelled)
    memory.bound.end(TaskIdentifier(2))
    var third = TaskScene.negotiating(3)
    third.begin(memory)
    #expect(third.negotiation != nil)
  }

  /// The server has asked for that token.
  @Test mutating func theTokenThatAnswersALaterRefusalNeedsAProof() {
    TaskScene.authenticateConnection(memory)
    var second = TaskScene.negotiating(2)
    second.begin(memory)
    second.refuse("Negotiate", with: memory)
    second.make("token", isComplete: false, memory)
    second.head(200, [], memory)
    #expect(second.failure == .authentication(.serverNotAuthenticated))
  }

  /// Its password may have changed: no connection that was authenticated with it is used again.
  @Test mutating func aRefusedCredentialLosesAllOfItsConnections() {
    TaskScene.authenticateConnection(memory)
    var (holder, refused) = (TaskScene.negotiating(2), TaskScene.negotiating(3))
    holder.begin(memory)
    let account = memory.bound.connection(of: .init(task: TaskIdentifier(2), hop: .origin))
    #expect(account != nil)
    refused.begin(memory)
    refused.make("token", memory)
    refused.refuse("Negotiate", with: memory)
    #expect(refused.question?.previousFailureCount == 1)
    for number: UInt64 in [2, 3] { memory.bound.end(TaskIdentifier(number)) }
    #expect(memory.bound.takeEnded().count == 1)
  }

  /// A negotiation is one use, whatever the number of its tokens, and with it the one after a lost connection.
  @Test(arguments: [Persistence.none, .forSession], [false, true])
  mutating func aCredentialForOneUseAuthenticatesOneConnection(_ persistence: Persistence, isLostFirst: Bool)
  {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var scene = TaskScene.negotiating()
    scene.begin(memory)
    scene.refuse("NTLM", with: memory)
    scene.answer(.tryCredential(TaskScene.password("x", persistence, limits: limits)), memory)
    scene.make("negotiate", isComplete: false, memory)
    if isLostFirst {
      scene.endAlone(.boundConnectionLost, memory)
      scene.make("negotiate again", isComplete: false, memory)
    }
    #expect(scene.sent?.authorization != nil)
    scene.refuse("NTLM \(TaskScene.serverToken)", with: memory)
    scene.make("authenticate", memory)
    #expect(scene.sent?.authorization != nil)
  }

  @Test mutating func aTaskWaitsForOneOfAsManyConnectionsAsAreAllowed() {
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var tasks = (1...3).map { TaskScene.negotiating($0, limit: 2) }
    for index in tasks.indices {
      tasks[index].begin(memory)
      tasks[index].refuse("Negotiate", with: memory)
    }
    // Until a server has taken the credential, one task tries it.
    #expect(tasks.map { $0.negotiation != nil } == [true, false, false])
    tasks[0].prove(memory)
    for index in 1...2 { tasks[index].turnCame(memory) }
    #expect(tasks.map(\.isExchanging) == [false, false, false])
    memory.bound.end(TaskIdentifier(1))
    let granted = memory.bound.takeGranted()
    #expect(granted.map(\.task.number) == [3])
    tasks[2].turnCame(memory)
    #expect(tasks[2].isExchanging && tasks[2].authorization == nil)
  }

  @Test mutating func aCredentialThatIsReplacedWhileItsTokenIsMadeIsNotSent() {
    TaskScene.authenticateConnection(memory)
    var task = TaskScene.negotiating(2)
    memory.store(TaskScene.password("y"), for: Self.space, owner: 1, now: 0)
    task.begin(memory)
    task.refuse("Negotiate", with: memory)
    let first = task.negotiation
    #expect(first?.credential == TaskScene.password("y").kind)
    memory.store(TaskScene.password("z"), for: Self.space, owner: 1, now: 0)
    task.make("of y", memory)
    #expect(task.sent == nil && task.negotiation?.credential == TaskScene.password("z").kind)
    #expect(task.negotiation?.account != first?.account && task.negotiation?.input == nil)
  }

  // MARK: Tokens

  @Test(arguments: ["Negotiate", "NTLM"])
  mutating func aNegotiationHasABoundedNumberOfTokens(_ scheme: String) {
    var scene = asked(scheme)
    var count = 0
    while scene.negotiation != nil, count < 100 {
      scene.make("token", isComplete: false, memory)
      #expect(scene.sent?.binding?.requiresReuse == (count > 0))
      count += 1
      scene.refuse("\(scheme) \(TaskScene.serverToken)", with: memory)
    }
    #expect(count == AuthenticationStateMachine.tokenLimit)
    #expect(scene.question?.previousFailureCount == 1)
  }

  @Test(arguments: [65_536, 65_540])
  mutating func aTokenOfTheServerHasABoundedLength(_ count: Int) {
    let token = String(repeating: "A", count: count)
    let isShort = count <= AuthenticationStateMachine.maximumTokenBytes
    var scene = asked("NTLM")
    scene.make("negotiate", isComplete: false, memory)
    scene.refuse("NTLM \(token)", with: memory)
    #expect(scene.negotiation?.input == (isShort ? token : nil))
    #expect((scene.question == nil) == isShort)
    memory = SessionMemory()
    scene = asked()
    scene.make("token", isComplete: false, memory)
    scene.head(200, TaskScene.proof(token), memory)
    #expect(scene.negotiation?.input == (isShort ? token : nil))
    #expect((scene.failure == .authentication(.serverNotAuthenticated)) == !isShort)
  }

  /// The server ends each of its connections, so that no one negotiation counts.
  @Test mutating func refusalsOfATaskAreCountedInAllNegotiations() {
    var redirects = RedirectPolicy()
    redirects.limit = 1000
    memory.store(TaskScene.password("x"), for: Self.space, owner: 1, now: 0)
    var scene = TaskScene(policy: TaskScene.everyMethod, budget: 1000, redirects: redirects)
    scene.begin(memory)
    scene.refuse("Negotiate", with: memory)
    var answered = 0
    while scene.negotiation != nil, answered < 1000 {
      scene.make("token", memory)
      scene.head(302, [HeaderField("Location", "a.example")], memory)
      scene.end(memory)
      #expect(scene.isExchanging && scene.authorization == nil)
      scene.refuse("Negotiate", with: memory)
      answered += 1
    }
    #expect(answered == AuthenticationStateMachine.roundLimit)
  }

  @Test mutating func onlyTheFirstRequestOfNTLMGoesWithoutItsBody() {
    let bodies: [(String, isComplete: Bool, sendsBody: Bool)] = [
      ("NTLM", false, false), ("NTLM", true, true), ("Negotiate", false, true), ("Negotiate", true, true),
    ]
    for (scheme, isComplete, sendsBody) in bodies {
      memory = SessionMemory()
      var scene = asked(scheme, TaskScene.negotiating(method: "POST", body: .replayable))
      scene.make("token", isComplete: isComplete, memory)
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
      memory = SessionMemory()
      var scene = asked()
      scene.make("token", isComplete: isComplete, memory)
      scene.head(status, fields, memory)
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
    TaskScene.authenticateConnection(memory)
    var holder = TaskScene.negotiating(2)
    holder.begin(memory)
    #expect(holder.isExchanging)
    var second = TaskScene.negotiating(3)
    second.begin(memory)
    #expect(second.negotiation?.input == nil && second.negotiation != nil, "the connection is in use")
    second.make("token", isComplete: false, memory)
    second.succeed(with: memory)
    #expect(second.isDelivered)
    memory.bound.end(TaskIdentifier(3))
    var third = TaskScene.negotiating(4)
    third.begin(memory)
    #expect(third.negotiation != nil, "that connection is not authenticated")
  }

  @Test(arguments: ["Negotiate", "NTLM"])
  mutating func anErrorOfTheServersOwnAuthenticatesNoConnection(_ scheme: String) {
    for status in [404, 500] {
      memory = SessionMemory()
      let space = ProtectionSpace(
        origin: TaskScene.origin, realm: nil, authenticationMethod: scheme == "NTLM" ? .ntlm : .negotiate)
      memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
      var scene = TaskScene.negotiating()
      scene.begin(memory)
      scene.refuse(scheme, with: memory)
      scene.make("token", memory)
      scene.succeed(status, with: memory)
      #expect(scene.isDelivered)
      memory.bound.end(TaskIdentifier(1))
      var later = TaskScene.negotiating(2)
      later.begin(memory)
      later.refuse(scheme, with: memory)
      #expect(later.negotiation != nil)
      #expect(memory.bound.connection(of: .init(task: TaskIdentifier(2), hop: .origin)) != nil)
      #expect((later.machine.authentication.roundCount == 1) == (status == 404), "\(status)")
    }
  }

  @Test mutating func aTicketThatEndsWhileTheServerAnswersIsNoSignOfAnImpostor() {
    var scene = asked()
    scene.make("token", isComplete: false, memory)
    scene.head(200, TaskScene.proof(TaskScene.serverToken), memory)
    scene.negotiated(.failed(.ticketExpired), memory)
    #expect(scene.failure == .authentication(.negotiation(.ticketExpired)))
    if case .inconclusive? = scene.report {} else { Issue.record("others may try the credential") }
  }

  // MARK: Channel binding

  @Test mutating func tokensAreBoundToTheServersCertificate() {
    var first = TaskScene.negotiating()
    first.serverEndPoint = [1, 2]
    first = asked("Negotiate", first)
    #expect(first.negotiation?.serverEndPoint == [1, 2])
    first.prove(memory)
    // The first connection is in use.
    var second = TaskScene.negotiating(2)
    second.begin(memory)
    #expect(second.negotiation?.serverEndPoint == [1, 2], "known without a refusal")
    second.make("token", isComplete: false, memory)
    #expect(second.sent?.binding?.serverEndPoint == [1, 2])
    second.serverEndPoint = [3]
    second.refuse("Negotiate \(TaskScene.serverToken)", with: memory)
    #expect(second.negotiation?.serverEndPoint == [3])
  }
}
