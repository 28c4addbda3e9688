import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What a host writes on its disk for its fleet, and under which number (storage.md 9.12).
struct FleetWritingTests {
  typealias Mark = SynchronizationMark
  typealias Key = CredentialKey

  private static let space = TaskScene.space("staff")
  private static let one = GivingIdentifier(high: 0, low: 1)

  private static func entry(
    _ number: UInt64 = 1, _ user: String = "joe", isDefault: Bool = true,
    mark: Mark? = Mark(version: 5, pending: .nothing)
  ) -> CachedCredential {
    var entry = CachedCredential(
      generation: number, space: space, credential: TaskScene.password("p", user: user, .synchronizable),
      isDefault: isDefault, record: UseRecord(created: 100, identifier: one), owner: nil,
      wasGivenForSpace: true)
    entry.synchronization = mark
    return entry
  }

  private static func state(
    _ user: String = "joe", version: Int64, revision: Int64, isDefault: Bool = false
  ) -> FleetCredential {
    let credential = TaskScene.password("p", user: user, .synchronizable)
    return FleetCredential(
      key: Key(space: space, user: user), version: version, revision: revision,
      .credential(
        ImportedCredential(
          space: space, credential: credential, isDefault: isDefault,
          record: UseRecord(created: 100, identifier: one))))
  }

  /// A host that has read these, with the store's numbers of their last changes.
  private func host(
    _ entries: CachedCredential..., revisions: [String: Int64] = [:]
  ) -> PermanentCredentials {
    var host = PermanentCredentials(entries)
    var plan = PermanentCredentials.Plan()
    for (user, revision) in revisions { plan.revisions[Key(space: Self.space, user: user)] = revision }
    _ = host.apply(plan)
    return host
  }

  private func change(
    _ change: PermanentCredentials.Change, _ host: inout PermanentCredentials
  ) throws -> PermanentCredentials.Plan {
    let plan = try host.plan(change, now: 200)
    _ = host.apply(plan)
    return plan
  }

  // MARK: Removals

  /// A removal is no credential: it is nobody's default, and was given for nothing.
  @Test func aRemovalHasTheNextNumberAndNoAttributes() throws {
    var host = host(Self.entry())
    let plan = try change(.remove([Self.space], user: "joe"), &host)
    #expect(plan.removed == [1])
    #expect(plan.added.map(\.generation) == [2] && plan.added.map(\.isRemoval) == [true])
    #expect(plan.added.map(\.isDefault) == [false] && plan.added.map(\.wasGivenForSpace) == [false])
  }

  /// What was sent before the removal has been written meanwhile: the removal is on top of it.
  @Test func aRemovalAfterALateReplyHasANumberOfItsOwn() throws {
    var host = host(Self.entry(mark: Mark(version: 5, pending: .credential)))
    let outgoing = try #require(host.outgoing)
    _ = try change(.remove([Self.space], user: "joe"), &host)
    let plan = try change(.acknowledge(outgoing, revision: 9), &host)
    #expect(plan.removed == [2] && plan.added.map(\.generation) == [3])
    #expect(plan.added.map(\.synchronization) == [Mark(version: 6, pending: .removal)])
    #expect(plan.added.map(\.isDefault) == [false] && plan.added.map(\.wasGivenForSpace) == [false])
    #expect(host.outgoing?.entry.generation == 3 && host.outgoing?.version == 7)
  }

  /// The removal counts more than another host's change of what it removes (storage.md 9.12.4).
  @Test func aRemovalThatIsRaisedHasANumberOfItsOwn() throws {
    var host = host(Self.entry())
    _ = try change(.remove([Self.space], user: "joe"), &host)
    let plan = try change(.adopt([Self.state(version: 8, revision: 9)]), &host)
    #expect(plan.removed == [2] && plan.added.map(\.generation) == [3])
    #expect(plan.added.map(\.synchronization) == [Mark(version: 8, pending: .removal)])
    #expect(host.outgoing?.entry.generation == 3)
  }

  // MARK: Defaults

  @Test(arguments: [8, 9, 10] as [Int64])
  func theFormerDefaultIsWrittenWhenALaterOneTakesItsPlace(revision: Int64) throws {
    var host = host(Self.entry(1, "ann"), revisions: ["ann": revision])
    let plan = try change(
      .adopt([Self.state("joe", version: 3, revision: 9, isDefault: true)]), &host)
    let isLater = revision <= 9
    #expect(plan.updated.map(\.isDefault) == (isLater ? [false] : []))
    #expect(plan.added.map(\.isDefault) == [isLater])
    #expect(host.all.filter(\.isDefault).map(\.credential.user) == [isLater ? "joe" : "ann"])
  }

  // MARK: What the store says

  /// A store that has nothing has no revision to compare.
  @Test func aStateThatIsGoneIsNewsWhateverIsKnown() throws {
    var host = host(Self.entry(), revisions: ["joe": 5])
    let absent = FleetCredential(key: Key(space: Self.space, user: "joe"), version: 0, revision: 0, .absent)
    _ = try change(.adopt([absent]), &host)
    #expect(host.all.map(\.synchronization) == [Mark(version: 5, pending: .copy)])
  }

  /// The reply was lost, but what was sent has arrived: there is nothing to tell any more.
  @Test func whatTheStoreShowsOfAWriteWithoutAReplyIsNotWrittenAgain() throws {
    var host = host(Self.entry(mark: Mark(version: 0, pending: .credential)))
    let outgoing = try #require(host.outgoing)
    host.noteSent(outgoing)
    _ = try change(.adopt([Self.state(version: 1, revision: 9, isDefault: true)]), &host)
    #expect(!host.fleet.hasPending && host.all.map(\.isDefault) == [true])
    #expect(host.all.map(\.synchronization) == [Mark(version: 1, pending: .nothing)])
  }

  // MARK: Uses

  @Test func noUseIsNoChange() throws {
    var limits = CredentialLimits()
    limits.maximumUses = 3
    var host = PermanentCredentials()
    let credential = TaskScene.password("p", .permanent, limits: limits)
    _ = try change(.store(credential, for: [Self.space], isDefault: true, over: []), &host)
    host.noteUses(0, of: 1, now: 300)
    #expect(host.takeRequests().isEmpty && host.all.map(\.record.lastUsed) == [nil])
    host.noteUses(1, of: 1, now: 300)
    #expect(host.takeRequests() == [.noteUses([1])] && host.all.map(\.record.lastUsed) == [300])
  }
}
