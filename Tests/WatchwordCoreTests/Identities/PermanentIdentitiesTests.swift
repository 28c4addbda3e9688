import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct PermanentIdentitiesTests {
  private let origin = Origin(scheme: .https, host: "a.test", port: 443)
  private let other = Origin(scheme: .https, host: "b.test", port: 443)
  private static let staff = Identity.of("staff", issuers: ["Staff"])
  private static let guest = Identity.of("guest", issuers: ["Guests"])

  private func draft(
    _ identity: Identity = staff, for origin: Origin? = nil, _ limits: CredentialLimits = CredentialLimits(),
    created: Double = 0
  ) -> PermanentIdentities.Draft {
    PermanentIdentities.Draft(
      KeptIdentity(identity, certificates: "c", privateKey: Secret("k".utf8)), for: origin,
      record: UseRecord(limits: limits, created: created))
  }

  private func kept(_ drafts: PermanentIdentities.Draft...) -> PermanentIdentities {
    var identities = PermanentIdentities()
    for draft in drafts { _ = identities.apply(.add(draft)) }
    return identities
  }

  private func presents(
    _ store: inout IdentityStore, to origin: Origin? = nil, isAsked: Bool = false, wallClock: Double = 1000
  ) -> IdentityStore.Ruling {
    store.ruling(
      on: .of("Staff"), from: origin ?? self.origin, isAsked: isAsked, now: 1, wallClock: wallClock)
  }

  private func outcome(
    _ change: PermanentIdentities.Change, of identities: inout PermanentIdentities
  ) -> PermanentIdentities.IdentityChangeResult {
    identities.apply(change)
  }

  private func add(_ identity: Identity, to store: inout IdentityStore) -> Bool {
    store.add(identity, now: 0)
  }

  private func isAnyOver(in store: inout IdentityStore, wallClock: Double = 1000) -> Bool {
    store.dropExpiredPermanent(now: 1, wallClock: wallClock)
  }

  private func news(of store: inout IdentityStore) -> PermanentIdentities.News { store.permanent.takeNews() }

  private func store(_ permanent: PermanentIdentities) -> IdentityStore {
    var store = IdentityStore()
    store.permanent = permanent
    return store
  }

  @Test func theSessionsOwnComeFirst() {
    var store = store(kept(draft()))
    #expect(presents(&store) == .present(Self.staff))
    let own = Identity.of("own", issuers: ["Staff"])
    #expect(add(own, to: &store))
    #expect(presents(&store) == .present(own))
    #expect(store.usable(at: origin, now: 1, wallClock: 1000) == [own, Self.staff])
    // Of one certificate the session's own record counts.
    #expect(add(Self.staff, to: &store))
    #expect(store.usable(at: origin, now: 1, wallClock: 1000) == [Self.staff, own])
    #expect(presents(&store) == .present(Self.staff))
    #expect(store.permanent.all.map(\.record.uses) == [1])
  }

  @Test func aDelegateIsAskedAllTheSame() {
    var store = store(kept(draft()))
    #expect(presents(&store, isAsked: true) == .ask)
    store.decide(.identity(Self.staff.identifier), for: .of("Staff"), from: origin)
    #expect(presents(&store, isAsked: true) == .present(Self.staff))
    store.permanent = PermanentIdentities()
    #expect(presents(&store, isAsked: true) == .ask)
  }

  @Test func oneOfAReplyIsForItsOriginOnly() {
    var store = store(kept(draft(for: origin)))
    #expect(presents(&store) == .present(Self.staff))
    #expect(presents(&store, to: other) == .presentNone)
    _ = store.permanent.apply(.add(draft(for: other)))
    #expect(presents(&store, to: other) == .present(Self.staff))
    #expect(store.permanent.count == 2)
    // One for every origin makes the two useless, and stays for every origin.
    _ = store.permanent.apply(.add(draft()))
    #expect(store.permanent.all.map(\.origin) == [nil])
    _ = store.permanent.apply(.add(draft(for: other)))
    #expect(store.permanent.all.map(\.origin) == [nil])
  }

  @Test func anIdentityOfAnotherWayIsNotPresented() {
    let (roots, others) = (CallersWay(roots: "r"), CallersWay(roots: "o"))
    var given = draft()
    given = PermanentIdentities.Draft(
      given.kept, for: origin, record: UseRecord(created: 0, ways: GivenWays([roots])))
    var store = store(kept(given))
    func ruling(_ ways: [CallersWay]) -> IdentityStore.Ruling {
      store.ruling(on: .of("Staff"), from: origin, over: ways, isAsked: false, now: 1, wallClock: 1000)
    }
    #expect(ruling([others]) == .presentNone)
    #expect(ruling([roots, others]) == .presentNone)
    #expect(ruling([roots]) == .present(Self.staff))
    #expect(ruling([]) == .present(Self.staff))
    // One that a reply has named, or that is for every origin, needs none.
    store.decide(.identity(Self.staff.identifier), for: .of("Staff"), from: origin)
    #expect(ruling([others]) == .present(Self.staff))
    store.forgetDecision(for: .of("Staff"), from: origin, if: .identity(Self.staff.identifier))
    _ = store.permanent.apply(.add(draft(for: origin)))
    #expect(store.permanent.all.map(\.record.ways) == [GivenWays([roots])])
    #expect(ruling([others]) == .presentNone)
    _ = store.permanent.apply(.add(draft()))
    #expect(ruling([others]) == .present(Self.staff))
  }

  @Test func anExpiredCertificateIsKeptAndNotPresented() {
    var store = store(kept(draft()))
    #expect(presents(&store, wallClock: 2e9) == .presentNone)
    #expect(!isAnyOver(in: &store, wallClock: 2e9))
    #expect(store.permanent.count == 1)
  }

  @Test func limitsEndItAndTheStoreHears() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var store = store(kept(draft(for: nil, limits)))
    let stored = store.permanent
    store.decide(.identity(Self.staff.identifier), for: .of("Staff"), from: origin)
    #expect(presents(&store) == .present(Self.staff))
    #expect(news(of: &store).hasUses)
    #expect(store.permanent.difference(from: stored).written.map(\.record.uses) == [1])
    #expect(presents(&store) == .presentNone)
    #expect(isAnyOver(in: &store))
    #expect(store.decisionCount == 0 && news(of: &store).expired.count == 1)
    #expect(store.permanent.difference(from: stored).removed == [1])
  }

  @Test func usesWithoutALimitAreNotWritten() {
    var store = store(kept(draft()))
    let stored = store.permanent
    #expect(presents(&store) == .present(Self.staff))
    #expect(news(of: &store).isEmpty)
    #expect(store.permanent.difference(from: stored).isEmpty)
  }

  @Test func whatDidNotTakeEffectIsTakenBack() throws {
    var identities = kept(draft(for: origin))
    let before = identities.all
    guard case .added(let addition) = identities.apply(.add(draft())) else {
      Issue.record("it was not added")
      return
    }
    #expect(addition.replaced == before)
    identities.takeBack(addition)
    #expect(identities.all == before)
  }

  @Test func removingOneRemovesAllItsRecords() {
    var identities = kept(draft(for: origin), draft(for: other), draft(Self.guest))
    guard case .removed(let removed) = identities.apply(.remove(identifier: Self.staff.identifier)) else {
      Issue.record("it was not removed")
      return
    }
    #expect(removed.count == 2 && identities.all.map(\.identity) == [Self.guest])
    _ = identities.apply(.remove(identifier: nil))
    #expect(identities.count == 0)
  }

  @Test func nothingIsRemovedToMakeRoom() {
    var identities = PermanentIdentities()
    for number in 0..<PermanentIdentities.capacity {
      _ = identities.apply(.add(draft(.of("\(number)", issuers: []))))
    }
    #expect(outcome(.add(draft()), of: &identities) == .full)
    #expect(outcome(.merge([draft()]), of: &identities) == .full)
    // The same certificate takes the place of its record.
    guard case .added(let addition) = identities.apply(.add(draft(.of("7", issuers: [])))) else {
      Issue.record("it was not replaced")
      return
    }
    #expect(addition.replaced.count == 1 && identities.count == PermanentIdentities.capacity)
  }

  @Test func anImportKeepsWhatWasGivenLater() {
    var identities = kept(draft(created: 5))
    let older = draft(for: origin, created: 4)
    #expect(
      outcome(.merge([older, draft(Self.guest)]), of: &identities) == merged(added: 1, [(2, Self.guest)]))
    // The same once more is no change, whatever a clock says.
    #expect(outcome(.merge([draft(created: 6)]), of: &identities) == merged([]))
    var limits = CredentialLimits()
    limits.maximumUses = 5
    let newer = draft(for: nil, limits, created: 6)
    guard case .merged(let merging) = outcome(.merge([newer]), of: &identities) else {
      Issue.record("it was not merged")
      return
    }
    #expect((merging.added, merging.replaced) == (0, 1))
    #expect(identities.all.first?.record.limits == limits && identities.count == 2)
  }

  private func merged(
    added: Int = 0, _ entries: [(UInt64, Identity)]
  ) -> PermanentIdentities.IdentityChangeResult {
    var merging = PermanentIdentities.Merging()
    merging.added = added
    merging.entries = entries.map { number, identity in
      let draft = draft(identity)
      return PermanentIdentities.StoredIdentity(number: number, draft.kept, for: nil, record: draft.record)
    }
    return .merged(merging)
  }
}
