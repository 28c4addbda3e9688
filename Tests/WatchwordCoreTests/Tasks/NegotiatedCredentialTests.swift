import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Credentials for Negotiate and NTLM that cannot be used, or are the daemon's own (methods.md 14.9 to 14.13).
struct NegotiatedCredentialTests {
  private var memory = SessionMemory()

  /// A task that makes its first token, for the credential that answered its question.
  private mutating func asked(
    _ scheme: String = "Negotiate", _ scene: TaskScene = .negotiating()
  ) -> TaskScene {
    var scene = scene
    scene.askToNegotiate(scheme, memory)
    return scene
  }

  // MARK: Credentials that cannot be used

  @Test mutating func aFaultOfTheServersEndsTheTask() {
    for outcome in [
      NegotiationOutcome.failed(.tokenRefused), .failed(.mechanismRefused), .established(.kerberos),
    ] {
      memory = SessionMemory()
      var scene = asked()
      scene.negotiated(outcome, memory)
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
      memory = SessionMemory()
      var scene = TaskScene.negotiating()
      scene.begin(memory)
      scene.refuse("Negotiate", with: memory)
      let credential = TaskScene.password("x")
      scene.answer(isTried ? .tryCredential(credential) : .useCredential(credential), memory)
      scene.negotiated(.failed(fault), memory)
      let found = scene.report.map { "\($0)".prefix { $0 != "(" } } ?? "-"
      #expect(found == expected, "\(fault) \(isTried)")
      #expect(scene.question?.fault == fault)
    }
  }

  @Test(arguments: [1, 2]) mutating func aRefusedPasswordCountsAgainstTheLimitOfRefusals(_ budget: Int) {
    var scene = asked("Negotiate", TaskScene.negotiating(budget: budget))
    scene.negotiated(.failed(.credentialRefused), memory)
    #expect(scene.isDelivered == (budget == 1) && (scene.question == nil) == (budget == 1))
  }

  @Test mutating func whatCannotBeSentUnaskedLeadsToARequestWithout() {
    TaskScene.authenticateConnection(memory)
    var holder = TaskScene.negotiating(2)
    holder.begin(memory)
    var scene = TaskScene.negotiating(3)
    scene.begin(memory)
    scene.negotiated(.failed(.ticketExpired), memory)
    #expect(scene.isExchanging && scene.authorization == nil)
    #expect(!scene.machine.isOnBoundConnection(at: .origin))
    scene.refuse("Negotiate", with: memory)
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
      memory = SessionMemory()
      var scene = TaskScene(
        TaskScene.url(userinfo: userinfo), policy: TaskScene.everyMethod, ambientOrigins: origins)
      scene.begin(memory)
      scene.refuse(scheme, with: memory)
      #expect((scene.negotiation?.credential == .kerberos(.defaultCache)) == isUsed)
      #expect((scene.question == nil) == isUsed, "\(origins) \(scheme)")
    }
  }

  @Test(arguments: [NegotiationFault.ticketMissing, .credentialRefused])
  mutating func ticketsThatCannotBeUsedAreNotTriedAgain(_ fault: NegotiationFault) {
    var scene = TaskScene(policy: TaskScene.everyMethod, ambientOrigins: [TaskScene.origin])
    scene.begin(memory)
    scene.refuse("Negotiate", with: memory)
    scene.negotiated(.failed(fault), memory)
    #expect(scene.negotiation == nil && scene.question?.fault == fault)
  }

  @Test mutating func acceptedTicketsOfTheDaemonAreTheSessionsCredential() {
    var scene = TaskScene(policy: TaskScene.everyMethod, ambientOrigins: [TaskScene.origin])
    scene.begin(memory)
    scene.refuse("Negotiate", with: memory)
    scene.prove(memory)
    #expect(scene.isDelivered)
    #expect(memory.all.map(\.credential.kind) == [.kerberos(.defaultCache)])
    #expect(memory.all.map(\.credential.persistence) == [.forSession])
  }
}
