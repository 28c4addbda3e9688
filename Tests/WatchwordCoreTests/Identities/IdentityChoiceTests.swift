import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Which identity is presented, and what is kept of each (challenges.md 11).
struct IdentityChoiceTests {
  private typealias StoredIdentity = PermanentIdentities.StoredIdentity

  private static let first = Origin(scheme: .https, host: "a.test", port: 443)
  private static let second = Origin(scheme: .https, host: "b.test", port: 443)
  private static let third = Origin(scheme: .https, host: "c.test", port: 443)
  private static let staff = Identity.of("staff", issuers: ["Staff"])

  private static func kept(_ identity: Identity = staff) -> KeptIdentity {
    KeptIdentity(identity, certificates: "c", privateKey: Secret("k".utf8))
  }

  private static func entry(
    _ number: UInt64, for origin: Origin?, _ identity: Identity = staff, created: Double = 0,
    uses: Int? = nil
  ) -> StoredIdentity {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    return StoredIdentity(
      number: number, kept(identity), for: origin, record: UseRecord(limits: limits, created: created))
  }

  private static func draft(
    for origin: Origin?, created: Double = 0, uses: Int? = nil
  ) -> PermanentIdentities.Draft {
    let entry = entry(1, for: origin, created: created, uses: uses)
    return PermanentIdentities.Draft(entry.kept, for: origin, record: entry.record)
  }

  private func store(_ entries: StoredIdentity...) -> IdentityStore {
    var store = IdentityStore()
    store.permanent = PermanentIdentities(entries)
    return store
  }

  private func isUsable(_ store: IdentityStore, wallClock: Double = 1000) -> Bool {
    store.isUsable(Self.staff.identifier, now: 1, wallClock: wallClock)
  }

  @Test func oneIsUsableWhereTheSessionOrTheAccountHasIt() throws {
    var store = IdentityStore()
    #expect(!isUsable(store))
    let added = store.add(Self.staff, now: 0)
    #expect(added && isUsable(store) && !isUsable(store, wallClock: 2e9))
    store = self.store(Self.entry(1, for: Self.first))
    #expect(isUsable(store) && !isUsable(store, wallClock: 2e9))
  }

  @Test(arguments: [false, true], [false, true])
  func aDecisionStaysAsLongAsItsIdentityIsSomewhere(_ isOwn: Bool, _ isPermanent: Bool) {
    var store = IdentityStore()
    if isOwn { _ = store.add(Self.staff, now: 0) }
    if isPermanent { store.permanent = PermanentIdentities([Self.entry(1, for: nil)]) }
    store.decide(.identity(Self.staff.identifier), for: .of("Staff"), from: Self.first)
    store.decide(.none, for: .of("Guests"), from: Self.first)
    store.decide(.identity("other"), for: .of("Others"), from: Self.first)
    store.forgetDecisions(about: [Self.staff.identifier])
    #expect(store.decisionCount == (isOwn || isPermanent ? 3 : 2))
    #expect(store.decision(for: .of("Guests"), from: Self.first) != nil)
  }

  /// Beyond so many, every origin may have asked (challenges.md 10.7).
  @Test func whetherAnOriginHasAskedIsRememberedOfSoMany() {
    var store = IdentityStore()
    for number in 0..<IdentityStore.decisionCapacity {
      store.note(asking: Origin(scheme: .https, host: "h\(number).test", port: 443))
    }
    let known = Origin(scheme: .https, host: "h0.test", port: 443)
    #expect(store.hasAsked(known) && !store.hasAsked(Self.first))
    store.note(asking: known)
    #expect(!store.hasAsked(Self.first))
    store.note(asking: Self.second)
    #expect(store.hasAsked(Self.first))
  }

  @Test func theRecordOfTheOriginIsTheOneThatIsUsed() {
    for origins in [[nil, Self.first], [Self.first, nil]] as [[Origin?]] {
      var store = store(Self.entry(1, for: origins[0]), Self.entry(2, for: origins[1]))
      let ruling = store.ruling(
        on: .of("Staff"), from: Self.first, isAsked: false, now: 1, wallClock: 1000)
      #expect(ruling == .present(Self.staff))
      let used = store.permanent.all.filter { $0.record.uses == 1 }
      #expect(used.map(\.origin) == [Self.first])
    }
  }

  /// A reply may have named a record of another origin: one of the origin, then one of any, then the newest.
  @Test(
    arguments: [
      ([first, second, nil], first), ([second, nil, third], nil), ([nil, second, first], first),
      ([second, third], third), ([third, second], second),
    ] as [([Origin?], Origin?)])
  func theNearestRecordServesAnOrigin(origins: [Origin?], expected: Origin?) throws {
    let identities = PermanentIdentities(
      origins.enumerated().map { Self.entry(UInt64($0.offset + 1), for: $0.element) })
    let found = identities.usable(Self.staff.identifier, at: Self.first, now: 1, wallClock: 1000)
    #expect(try #require(found).origin == expected)
    #expect(identities.usable("other", at: Self.first, now: 1, wallClock: 1000) == nil)
  }

  @Test func ofTwoRecordsOfAStoreForOnePlaceTheNewerOneStays() {
    let other = Identity.of("other", issuers: [])
    let identities = PermanentIdentities([
      Self.entry(4, for: Self.first), Self.entry(1, for: Self.first), Self.entry(2, for: Self.second),
      Self.entry(3, for: Self.first, other),
    ])
    #expect(identities.all.map(\.number) == [4, 3, 2])
    #expect(identities.holds(other.identifier) && !identities.holds("nobody"))
    var next = identities
    guard case .added(let addition) = next.apply(.add(Self.draft(for: Self.third))) else {
      Issue.record("it was not added")
      return
    }
    #expect(addition.entry.number == 5)
  }

  /// What was replaced comes back, but where another one has taken its place meanwhile.
  @Test(
    arguments: [(nil, [first, second]), (first, [second, first]), (third, [first, second, third])]
      as [(Origin?, [Origin?])])
  func whatIsTakenBackLeavesWhatCameMeanwhile(meanwhile: Origin?, left: [Origin?]) {
    var identities = PermanentIdentities([
      Self.entry(1, for: Self.first), Self.entry(2, for: Self.second),
      Self.entry(3, for: Self.third, .of("guest", issuers: [])),
    ])
    guard case .added(let addition) = identities.apply(.add(Self.draft(for: nil))) else {
      Issue.record("it was not added")
      return
    }
    #expect(addition.replaced.map(\.number) == [1, 2])
    if let meanwhile {
      identities = PermanentIdentities(
        identities.all.filter { $0.number != addition.entry.number } + [Self.entry(9, for: meanwhile)])
    }
    identities.takeBack(addition)
    let mine = identities.all.reversed().filter { $0.identity == Self.staff }
    #expect(mine.map(\.origin) == left)
    #expect(identities.all.map(\.number) == identities.all.map(\.number).sorted(by: >))
    // One for every origin stands for all of them.
    identities = PermanentIdentities([Self.entry(8, for: nil)])
    identities.takeBack(addition)
    #expect(identities.all.map(\.number) == [8])
  }

  @Test(
    arguments: [
      (first, 5, 4, "kept"), (first, 5, 5, "kept"), (first, 5, 6, "replaced"), (nil, 5, 5, "kept"),
      (nil, 5, 6, "replaced"), (second, 5, 4, "added"), (second, 5, 6, "added"),
    ] as [(Origin?, Double, Double, String)])
  func anImportReplacesOnlyAnOlderRecordOfItsPlace(
    origin: Origin?, present: Double, created: Double, expected: String
  ) {
    var identities = PermanentIdentities([Self.entry(1, for: origin, created: present)])
    guard
      case .merged(let merging) = identities.apply(
        .merge([Self.draft(for: Self.first, created: created, uses: 7)]))
    else {
      Issue.record("it was not merged")
      return
    }
    #expect(
      (merging.added, merging.replaced) == (expected == "added" ? 1 : 0, expected == "replaced" ? 1 : 0))
    #expect(identities.count == (expected == "added" ? 2 : 1))
  }

  // MARK: What the store hears

  @Test func newsAreToldOnce() {
    var store = store(Self.entry(1, for: nil, uses: 2), Self.entry(2, for: nil, .of("b", issuers: [])))
    let before = store.permanent.takeNews()
    #expect(before.isEmpty)
    for uses in 1...2 {
      store.permanent.noteUse(1, now: 1)
      let (once, again) = (store.permanent.takeNews(), store.permanent.takeNews())
      #expect(once.hasUses && !once.isEmpty && once.expired.isEmpty && again.isEmpty, "\(uses)")
    }
    _ = store.permanent.dropExpired(now: 1, wallClock: 1)
    let (once, again) = (store.permanent.takeNews(), store.permanent.takeNews())
    #expect(once.expired.map(\.number) == [1] && !once.isEmpty && again.isEmpty && !once.hasUses)
  }

  @Test func onlyWhatDiffersIsWritten() {
    let stored = PermanentIdentities([Self.entry(1, for: nil, uses: 2), Self.entry(2, for: Self.first)])
    var now = stored
    #expect(now.difference(from: stored).isEmpty)
    for number: UInt64 in [1, 2] { now.noteUse(number, now: 1) }
    var difference = now.difference(from: stored)
    #expect(difference.written.map(\.number) == [1] && difference.removed.isEmpty && !difference.isEmpty)
    now = PermanentIdentities([Self.entry(1, for: nil, uses: 2)])
    difference = now.difference(from: stored)
    #expect(difference.written.isEmpty && difference.removed == [2] && !difference.isEmpty)
    #expect(stored.difference(from: now).written.map(\.number) == [2])
  }

  @Test func anIdentityOfMoreThanTheBoundIsTooLarge() {
    for (count, isTooLarge) in [(KeptIdentity.maximumBytes - 1, false), (KeptIdentity.maximumBytes, true)] {
      let certificates = String(repeating: "c", count: count)
      let kept = KeptIdentity(Self.staff, certificates: certificates, privateKey: Secret("k".utf8))
      #expect(kept.isTooLarge == isTooLarge)
    }
  }
}
