import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What a host does with the states that the fleet's store has (storage.md 9.12).
struct FleetAdoptionTests {
  typealias Mark = SynchronizationMark
  typealias Key = CredentialKey

  private static let space = TaskScene.space("staff")
  private static let one = GivingIdentifier(high: 0, low: 1)
  private static let another = GivingIdentifier(high: 0, low: 2)

  private static func key(_ user: String) -> Key { Key(space: space, user: user) }

  private static func credential(
    _ user: String, _ password: String = "p", _ persistence: Persistence = .synchronizable
  ) -> Credential { TaskScene.password(password, user: user, persistence) }

  private static func entry(
    _ number: UInt64 = 1, _ user: String = "joe", _ password: String = "p", isDefault: Bool = false,
    mark: Mark? = Mark(version: 5, pending: .nothing), created: Double = 100,
    identifier: GivingIdentifier = one
  ) -> CachedCredential {
    var entry = CachedCredential(
      generation: number, space: space,
      credential: credential(user, password, mark == nil ? .permanent : .synchronizable),
      isDefault: isDefault, record: UseRecord(created: created, identifier: identifier), owner: nil,
      wasGivenForSpace: false)
    entry.synchronization = mark
    return entry
  }

  /// What the store has of a credential.
  private static func state(
    _ user: String = "joe", _ password: String = "p", version: Int64 = 5, revision: Int64 = 9,
    isDefault: Bool = false, created: Double = 100, ways: [CallersWay] = [],
    identifier: GivingIdentifier = one
  ) -> FleetCredential {
    FleetCredential(
      key: key(user), version: version, revision: revision,
      .credential(
        ImportedCredential(
          space: space, credential: credential(user, password), isDefault: isDefault,
          record: UseRecord(created: created, ways: GivenWays(ways), identifier: identifier))))
  }

  /// A host that has read these, with the store's numbers of their last changes.
  private func host(
    _ entries: CachedCredential..., revisions: [String: Int64] = [:]
  ) -> PermanentCredentials {
    var host = PermanentCredentials(entries)
    var plan = PermanentCredentials.Plan()
    for (user, revision) in revisions { plan.revisions[Self.key(user)] = revision }
    _ = host.apply(plan)
    return host
  }

  private func adopt(_ states: FleetCredential..., by host: inout PermanentCredentials) throws
    -> PermanentCredentials.Plan
  {
    let plan = try host.plan(.adopt(states), now: 200)
    _ = host.apply(plan)
    return plan
  }

  private func defaults(of host: PermanentCredentials) -> [String?] {
    host.all.filter(\.isDefault).map(\.credential.user)
  }

  // MARK: Defaults (storage.md 9.12.9)

  @Test(
    arguments: [
      (nil, 0, "ann"), (Mark(version: 5, pending: .nothing), 8, "joe"),
      (Mark(version: 5, pending: .nothing), 10, "ann"), (Mark(version: 5, pending: .copy), 8, "joe"),
      (Mark(version: 5, pending: .copy), 10, "ann"), (Mark(version: 5, pending: .attributes), 8, "ann"),
      (Mark(version: 5, pending: .credential), 8, "ann"),
    ] as [(Mark?, Int64, String)])
  func ofTwoDefaultsTheOneThatIsWrittenLastStays(mark: Mark?, revision: Int64, expected: String) throws {
    var host = host(Self.entry(1, "ann", isDefault: true, mark: mark), revisions: ["ann": revision])
    _ = try adopt(Self.state("joe", revision: 9, isDefault: true), by: &host)
    #expect(defaults(of: host) == [expected] && host.count == 2)
  }

  @Test func ofTwoDefaultsInTheStoreTheOneWithTheGreaterRevisionCounts() throws {
    var host = host()
    _ = try adopt(
      Self.state("ann", revision: 12, isDefault: true), Self.state("joe", revision: 9, isDefault: true),
      Self.state("kim", revision: 14), by: &host)
    #expect(defaults(of: host) == ["ann"] && host.count == 3)
  }

  // MARK: What is news

  @Test(arguments: [(4, "p"), (5, "p"), (6, "q")] as [(Int64, String)])
  func onlyALaterStateCounts(revision: Int64, password: String) throws {
    var host = host(Self.entry(), revisions: ["joe": 5])
    _ = try adopt(Self.state("joe", "q", version: 6, revision: revision, created: 150), by: &host)
    #expect(host.all.map(\.credential) == [Self.credential("joe", password)])
  }

  @Test(
    arguments: [
      (Mark.Pending.nothing, Mark.Pending.copy), (.copy, .copy), (.attributes, .attributes),
      (.credential, .credential),
    ])
  func whatTheStoreHasLostIsWrittenAgain(pending: Mark.Pending, after: Mark.Pending) throws {
    for isThere in [false, true] {
      var host = host(
        Self.entry(1, "joe", mark: Mark(version: 5, pending: pending)), Self.entry(2, "ann", mark: nil),
        revisions: ["joe": 5])
      let plan = try host.plan(.noteMissing(except: isThere ? [Self.key("joe")] : []), now: 200)
      _ = host.apply(plan)
      #expect(host.synchronizable.map(\.synchronization?.pending) == [isThere ? pending : after])
      #expect(plan.updated.count == (isThere || pending == after ? 0 : 1))
    }
  }

  @Test func theSameStateOnceMoreIsNotWritten() throws {
    var host = host(Self.entry(1, "joe", isDefault: true, identifier: Self.one), revisions: ["joe": 5])
    let same = Self.state(isDefault: true, identifier: Self.one)
    #expect(try adopt(same, by: &host).updated.isEmpty)
    let changed = [
      Self.state(version: 6, revision: 10, isDefault: false, identifier: Self.one),
      Self.state(version: 7, revision: 11, isDefault: false, identifier: Self.one),
      Self.state(
        version: 7, revision: 12, isDefault: false, ways: [CallersWay(roots: "r")], identifier: Self.one),
      Self.state(version: 8, revision: 13, isDefault: false, identifier: Self.another),
    ]
    for state in changed { #expect(try adopt(state, by: &host).updated.count == 1) }
    #expect(host.all.map(\.isDefault) == [false] && host.all.map(\.generation) == [1])
    #expect(host.all.map(\.record.ways) == [GivenWays([CallersWay(roots: "r")])])
    #expect(host.all.map(\.record.identifier) == [Self.another])
    #expect(host.all.map(\.synchronization) == [Mark(version: 8, pending: .nothing)])
  }

  /// Equal contents do not tell that two are of one giving; nor does an identifier alone (storage.md 9.12.4).
  @Test func oneGivingHasTheSameIdentifierAndContents() throws {
    for (password, identifier, pending) in [
      ("p", Self.one, Mark.Pending.nothing), ("p", Self.another, .credential), ("q", Self.one, .credential),
    ] {
      var host = host(Self.entry(), revisions: ["joe": 5])
      _ = try adopt(Self.state("joe", password, created: 99, identifier: identifier), by: &host)
      #expect(host.all.map(\.synchronization) == [Mark(version: 5, pending: pending)])
    }
  }

  @Test func whatThisHostHasRemovedDoesNotComeBack() throws {
    for (identifier, count) in [(Self.one, 0), (Self.another, 1)] {
      var host = host(Self.entry(1, "joe", mark: Mark(version: 5, pending: .removal)))
      #expect(host.count == 0 && host.fleet.pendingCount == 1)
      _ = try adopt(Self.state(version: 6, identifier: identifier), by: &host)
      #expect(host.count == count && host.fleet.pendingCount == 1 - count)
    }
  }

  // MARK: What was sent

  private enum Since: CaseIterable { case nothing, default_, given, removed }

  /// What has changed since it was sent stays to be written, on top of that.
  @Test func onlyWhatWasSentIsAcknowledged() throws {
    for since in Since.allCases {
      var host = FleetModelHost()
      let give = { (password: String) in
        PermanentCredentials.Change.store(
          Self.credential("joe", password), for: [Self.space], isDefault: false, over: [])
      }
      try host.change(give("p"), now: 1)
      let outgoing = try #require(host.credentials.outgoing)
      #expect(outgoing.version == 1 && outgoing.revision == 0 && !outgoing.isRemoval)
      switch since {
      case .nothing: break
      case .default_: try host.change(.setDefault(user: "joe", in: [Self.space]), now: 2)
      case .given: try host.change(give("q"), now: 2)
      case .removed: try host.change(.remove([Self.space], user: "joe"), now: 2)
      }
      try host.change(.acknowledge(outgoing, revision: 7), now: 3)
      let next = host.credentials.outgoing
      #expect((next == nil) == (since == .nothing))
      #expect(next.map { [$0.version, $0.revision] } == (since == .nothing ? nil : [2, 7]))
      #expect(next?.isRemoval ?? false == (since == .removed))
    }
  }

  /// The reply was lost: what this host has sent is no other host's change.
  @Test(arguments: [6, 7] as [Int64]) func aChangeOfAttributesIsOnTopOfWhatWasSent(sent: Int64) throws {
    var host = host(
      Self.entry(
        1, "joe", isDefault: true, mark: Mark(version: 5, pending: .attributes), identifier: Self.one),
      revisions: ["joe": 5])
    let outgoing = try #require(host.outgoing)
    #expect(outgoing.version == 6)
    host.noteSent(outgoing)
    let plan = try host.plan(.setDefault(user: "joe", in: [Self.space]), now: 150)
    _ = host.apply(plan)
    _ = try adopt(Self.state(version: sent, revision: 9, isDefault: false, identifier: Self.one), by: &host)
    // A state that another host has written counts, and only that.
    #expect(defaults(of: host) == (sent == 6 ? ["joe"] : []))
    #expect(host.outgoing?.version == (sent == 6 ? 7 : nil))
  }

  @Test func writingsAreTheSameByRecordVersionAndRevision() {
    let first = OutgoingCredential(entry: Self.entry(1), version: 2, revision: 3)
    #expect(first == OutgoingCredential(entry: Self.entry(1, "ann"), version: 2, revision: 3))
    #expect(first != OutgoingCredential(entry: Self.entry(2), version: 2, revision: 3))
    #expect(first != OutgoingCredential(entry: Self.entry(1), version: 3, revision: 3))
    #expect(first != OutgoingCredential(entry: Self.entry(1), version: 2, revision: 4))
  }

  // MARK: Behind a permanent credential (storage.md 9.12.8)

  @Test(arguments: ["joe", "ann"]) func whenThePermanentOneIsRemovedTheStoreIsReadAgain(_ user: String) throws
  {
    var host = host(Self.entry(1, "joe", mark: nil), Self.entry(2, "ann", mark: nil))
    _ = try adopt(Self.state("joe", "q"), by: &host)
    #expect(host.all.map(\.credential.persistence) == [.permanent, .permanent])
    #expect(!host.fleet.needsReading)
    let plan = try host.plan(.remove([Self.space], user: user), now: 200)
    _ = host.apply(plan)
    #expect(host.fleet.needsReading == (user == "joe"))
    host.readingBegins()
    #expect(!host.fleet.needsReading)
  }

  /// A permanent credential, given or imported, takes the place of a synchronizable one on this host only.
  @Test(arguments: [false, true]) func whatTakesItsPlaceStandsInFrontOfIt(_ isImported: Bool) throws {
    for mark in [Mark(version: 5, pending: .nothing), nil] {
      var host = host(Self.entry(1, "joe", mark: mark), revisions: ["joe": 5])
      let given = Self.credential("joe", "q", .permanent)
      let imported = ImportedCredential(
        space: Self.space, credential: given, isDefault: false, record: UseRecord(created: 300))
      let changes: [PermanentCredentials.Change] = [
        isImported
          ? .merge([imported]) : .store(given, for: [Self.space], isDefault: false, over: []),
        .remove([Self.space], user: "joe"),
      ]
      for change in changes { _ = host.apply(try host.plan(change, now: 200)) }
      #expect(host.count == 0 && host.fleet.needsReading == (mark != nil))
    }
  }

  /// What is changed after a write whose reply was lost is on top of it (storage.md 9.12.4).
  @Test func aDefaultThatIsChosenAfterALostReplyStays() throws {
    var store = FleetModelStore()
    var (first, second) = (FleetModelHost(), FleetModelHost())
    try first.change(.store(Self.credential("joe"), for: [Self.space], isDefault: false, over: []), now: 1)
    try first.writeNext(&store, losesReply: true, now: 2)
    try first.change(.setDefault(user: "joe", in: [Self.space]), now: 3)
    try first.readWhole(store, now: 4)
    #expect(first.credentials.all.map(\.isDefault) == [true])
    try first.writeNext(&store, losesReply: false, now: 5)
    #expect(!first.credentials.fleet.hasPending)
    try second.readWhole(store, now: 6)
    #expect(second.credentials.all.map(\.isDefault) == [true])
  }

  /// What the store did not take is tried again after it was read as a whole (storage.md 9.12.4).
  @Test func whatTheStoreDidNotTakeWaitsForTheNextReading() throws {
    var host = host(
      Self.entry(1, "joe", mark: Mark(version: 5, pending: .credential)),
      Self.entry(2, "ann", mark: Mark(version: 5, pending: .credential)))
    let outgoing = try #require(host.outgoing)
    for _ in 0..<2 { host.hold(outgoing) }
    #expect(host.fleet.pendingCount == 2 && host.outgoing?.entry.generation == 3 - outgoing.entry.generation)
    host.hold(try #require(host.outgoing))
    #expect(!host.fleet.hasPending && host.outgoing == nil && host.fleet.pendingCount == 2)
    host.releaseHeld()
    #expect(host.fleet.hasPending && host.fleet.pendingCount == 2)
  }
}
