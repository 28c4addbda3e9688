import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Who holds a session, and who is asked (challenges.md 3.1 to 3.5).
struct DelegateRosterTests {
  private var roster = DelegateRoster()
  private let one = PeerIdentifier(1)
  private let two = PeerIdentifier(2)
  private let three = PeerIdentifier(3)
  private static let basic = ChallengeSubject(.basic)

  private static func process(_ number: Int32) -> ProcessIdentifier {
    ProcessIdentifier(pid: number, startTime: 0)
  }

  private func waiter(_ peer: PeerIdentifier?) -> ChallengeWaiter {
    ChallengeWaiter(task: TaskIdentifier(10), peer: peer)
  }

  private mutating func register(
    _ peer: PeerIdentifier, tasks: DelegateInterest.Methods = .only([]),
    session: DelegateInterest.Methods = .only([]), trustVerdicts: DelegateInterest.TrustVerdicts = .all,
    of process: ProcessIdentifier? = nil
  ) {
    roster.register(
      peer, of: process,
      interest: DelegateInterest(tasks: tasks, session: session, trustVerdicts: trustVerdicts))
  }

  @Test mutating func whoHasLeftIsNoHolder() {
    for peer in [one, two, one] { roster.register(peer, interest: nil) }
    #expect(roster.holders == [one, two] && !roster.isEmpty)
    roster.remove(three)
    #expect(roster.holders == [one, two])
    roster.remove(one)
    #expect(roster.holders == [two] && !roster.isHolder(one) && roster.interest(of: one) == nil)
    roster.remove(two)
    #expect(roster.isEmpty)
  }

  @Test mutating func aRestrictedHolderIsNotEntitledForGood() {
    let restriction = RestrictionIdentifier(1)
    register(one, tasks: .all, session: .all)
    #expect(roster.entitled == [one] && roster.isEntitled(one) && !roster.isEntitled(two))
    roster.restrict(one, by: restriction)
    register(one, tasks: .all, session: .all)
    #expect(roster.entitled.isEmpty && roster.restriction(of: one) == restriction)
    #expect(!roster.isSessionDelegate(one, for: Self.basic) && !roster.takes(Self.basic, forOwnTaskOf: one))
  }

  /// A delegate that sees only chains with faults takes every other question all the same.
  @Test mutating func onlyTrustedChainsArePassedOver() {
    register(one, tasks: .all, session: .all, trustVerdicts: .refused)
    let subjects = [
      (Self.basic, true), (ChallengeSubject(.serverTrust), true), (.trustedChain, false),
      (ChallengeSubject(.clientCertificate), true), (TaskScene.space().subject, true),
      (TrustScene.space().subject, true), (TrustScene.space(TrustScene.trust(1, key: 1, [])).subject, false),
    ]
    for (subject, takes) in subjects {
      #expect(roster.takes(subject, forOwnTaskOf: one) == takes)
      #expect(roster.isSessionDelegate(one, for: subject) == takes)
    }
    #expect(roster.takesIdentityQuestions(of: waiter(nil)) && !roster.seesEveryChain(of: waiter(one)))
    register(one, tasks: .all, session: .all)
    #expect(roster.seesEveryChain(of: waiter(nil)))
  }

  @Test mutating func whatSessionDelegatesTakeConcernsEveryTask() {
    register(one, tasks: .only([.clientCertificate]))
    #expect(roster.takesIdentityQuestions(of: waiter(one)))
    for peer in [nil, two] { #expect(!roster.takesIdentityQuestions(of: waiter(peer))) }
    register(two, session: .only([.clientCertificate]))
    for peer in [nil, one, two, three] { #expect(roster.takesIdentityQuestions(of: waiter(peer))) }
    // Once it takes them of its own tasks only, or has left, the others are not concerned.
    register(two, tasks: .only([.clientCertificate]))
    #expect(!roster.takesIdentityQuestions(of: waiter(nil)) && roster.takesIdentityQuestions(of: waiter(two)))
    register(two, session: .all)
    roster.remove(two)
    #expect(!roster.takesIdentityQuestions(of: waiter(nil)) && roster.takesIdentityQuestions(of: waiter(one)))
    #expect(!roster.seesEveryChain(of: waiter(nil)))
  }

  /// No process confirms its own use (challenges.md 2.2).
  @Test(
    arguments: [
      (1, 2, true), (1, 1, false), (nil, 2, false), (1, nil, false), (nil, nil, false),
    ] as [(Int32?, Int32?, Bool)])
  mutating func onlyAnotherKnownProcessConfirmsAUse(asking: Int32?, delegate: Int32?, isAsked: Bool) {
    register(one, session: .only([.basic]), of: delegate.map(Self.process))
    let use = ConfirmedUse(process: asking.map(Self.process))
    #expect(roster.mayConfirm(use, one) == isAsked)
    #expect(!roster.mayConfirm(use, two))
    let found = roster.candidate(for: Self.basic, among: [], without: [], confirming: use)
    #expect(found == (isAsked ? one : nil))
    // Whether there is one is known without a look at each: of its own process there are as many as of all.
    if delegate != nil {
      #expect(roster.hasCandidate(for: Self.basic, of: waiter(nil), confirming: use) == isAsked)
    }
    register(two, session: .only([.basic]), of: delegate.map(Self.process))
    #expect(
      roster.hasCandidate(for: Self.basic, of: waiter(nil), confirming: use)
        == (asking != nil && asking != delegate))
  }

  @Test mutating func whoeverTakesTheQuestionIsACandidate() {
    func has(_ subject: ChallengeSubject, _ peer: PeerIdentifier?) -> Bool {
      roster.hasCandidate(for: subject, of: waiter(peer))
    }
    #expect(!has(Self.basic, one) && !has(Self.basic, nil))
    register(one, tasks: .only([.basic]))
    #expect(has(Self.basic, one) && !has(Self.basic, two) && !has(Self.basic, nil))
    register(two, session: .only([.basic]))
    #expect(has(Self.basic, three) && has(Self.basic, nil) && !has(ChallengeSubject(.digest), one))
    roster.remove(two)
    #expect(!has(Self.basic, three))
  }

  /// Methods that concern all go to the session's delegates first, the others to who waits.
  @Test(
    arguments: [(.basic, 1), (.negotiate, 2), (.clientCertificate, 2)] as [(AuthenticationMethod, UInt64)])
  mutating func whoIsAskedFirstDependsOnTheMethod(method: AuthenticationMethod, first: UInt64) {
    register(one, tasks: .all)
    register(two, session: .all)
    func next(_ excluded: Set<PeerIdentifier>) -> UInt64? {
      roster.candidate(
        for: ChallengeSubject(method), among: [waiter(nil), waiter(one)], without: excluded, confirming: nil)?
        .number
    }
    #expect(next([]) == first)
    #expect(next([PeerIdentifier(first)]) == 3 - first)
    #expect(next([one, two]) == nil)
  }
}
