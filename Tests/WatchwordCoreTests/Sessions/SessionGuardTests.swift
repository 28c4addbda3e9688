import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What the administrator's rules and guarded origins keep from a session, and what its decisions are about.
struct SessionGuardTests {
  private static let origin = TaskScene.origin

  private static func strict(_ change: (inout TrustPolicy.Rule) -> Void) -> TrustPolicy {
    var rule = TrustPolicy.Rule()
    change(&rule)
    return TrustPolicy(defaults: rule)
  }

  private static let noLoosening = strict { $0.allowsLooseningTrust = false }

  /// A task whose server's chain has the question `c1`.
  private static func untrusted(_ scene: inout SessionScene) -> SessionTask {
    scene.delegate(1)
    let task = scene.begin()
    scene.take {
      $0.handle(.exchangeEnded(.serverTrustUndecided(TrustScene.trust()), body: .empty), of: task)
    }
    return task
  }

  private static func accepting(_ persistence: Persistence) -> Credential {
    Credential(.trust(.certificate), persistence: persistence)
  }

  // MARK: Decisions about chains (challenges.md 10)

  @Test(arguments: [false, true]) func aRuleForbidsToAcceptAChainAndNothingElse(accepts: Bool) {
    var scene = SessionScene()
    let task = Self.untrusted(&scene)
    scene.policy = Self.noLoosening
    do throws(ChallengeBoard.ReplyFault) {
      if accepts {
        try scene.reply("c1", .useCredential, Self.accepting(.forSession))
      } else {
        try scene.reply("c1", .rejectProtectionSpace)
      }
      #expect(!accepts)
    } catch {
      #expect(accepts && error == .notAllowed(rule: "transportSecurity.defaults.allowsLooseningTrust"))
    }
    #expect((task.machine.phase == .finished) != accepts)
  }

  @Test(arguments: [(Persistence.forSession, 1), (.permanent, 0)])
  func aPermanentDecisionIsNotTheSessions(persistence: Persistence, count: Int) {
    var scene = SessionScene()
    let decision = HandshakeDecision(
      space: TrustScene.space(), credential: Self.accepting(persistence), by: nil, forAll: true)
    scene.state.keep(decision)
    #expect(scene.state.trust.count == count)
  }

  enum Fixing: CaseIterable { case nothing, policy, sources }

  /// Where accepted chains do not count, those that were accepted before do not either.
  @Test(arguments: Fixing.allCases) func anAcceptedChainCountsWhereNothingForbidsIt(_ fixing: Fixing) {
    var scene = SessionScene()
    let trust = TrustScene.trust()
    scene.state.trust.record(TrustDecision(trust, for: Self.origin), about: trust, now: 0)
    switch fixing {
    case .nothing: break
    case .policy: scene.policy = Self.noLoosening
    case .sources: _ = scene.state.board.sources.guardOrigin(Self.origin)
    }
    var permanent = PermanentTrust()
    let ruling = scene.state.ruling(
      on: trust.presented, with: trust.faults, from: Self.origin, at: .origin, in: .common,
      permanent: &permanent)
    #expect(ruling == (fixing == .nothing ? .accept : .ask(trust.faults)))
  }

  // MARK: The way of a request

  /// A `Host` field leads to another server, which a source's credential is not for (storage.md 9.7.7).
  @Test(arguments: [false, true], [false, true])
  func aGuardedOriginIsReachedUnderItsOwnNameOnly(isGuarded: Bool, namesHost: Bool) {
    var scene = SessionScene()
    if isGuarded { _ = scene.state.board.sources.guardOrigin(Self.origin) }
    _ = scene.begin(headers: namesHost ? [HeaderField("Host", "other.example")] : [])
    #expect(scene.names == [isGuarded && namesHost ? "finish 1 policyRefused" : "send 1"])
  }

  // MARK: Client identities

  @Test func aChoiceForOneRequestIsNoneForAnother() {
    var scene = SessionScene()
    let task = scene.begin()
    let (asked, other) = (CertificateRequest.of("a"), CertificateRequest.of("b"))
    _ = scene.state.trust.grant(
      IdentityStore.Decision(request: asked, choice: .identity("mine")), for: Self.origin,
      to: [task.identifier])
    let partition = scene.state.trust.partition(for: task.identifier, to: Self.origin, isAsked: false)
    for (request, order) in [(asked, SessionState.IdentityOrder.present("mine")), (other, .presentNone)] {
      let found = scene.state.ruling(
        on: request, from: Self.origin, in: partition, isLent: { _ in true }, isAsked: false)
      #expect(found == order)
    }
  }

  // MARK: Connections that belong to a credential

  @Test(arguments: [CredentialChange.added, .replaced, .removed])
  func theConnectionsOfAFormerRecordAreOver(_ change: CredentialChange) throws {
    var scene = SessionScene()
    TaskScene.authenticateConnection(scene.state.memory)
    let key = try #require(scene.state.memory.keys.first)
    // The account's record has changed, and the session's copy with it.
    scene.state.memory.remove(key)
    _ = scene.state.memory.takeChanges()
    var alteration = PermanentCredentials.Alteration()
    alteration.changes = [(key, change)]
    scene.take { state in state.permanentChanged(alteration) }
    #expect(scene.state.memory.bound.takeEnded().count == (change == .added ? 0 : 1))
  }
}
