import Testing
import WatchwordSecret
import WatchwordVocabulary

@testable import WatchwordCore

/// The uses of an entry while its record is being written (storage.md 9.6.7), and what a table counts.
struct UnwrittenUsesTests {
  private static let space = TaskScene.space()
  private static let key = CredentialCache.Key(space: space, user: "joe")

  /// A cache whose entry was used three times.
  private static func cache() -> (CredentialCache, generation: UInt64) {
    var cache = CredentialCache()
    cache.store(TaskScene.password("x"), for: space, owner: nil, now: 0)
    let generation = cache.latestGeneration
    _ = cache.table.change(key) { for time in [1.0, 2, 3] { $0.record.noteUse(now: time) } }
    return (cache, generation)
  }

  /// The account's record, as another writing has made it.
  private static func keep(
    in cache: inout CredentialCache, uses: Int? = 9, _ persistence: Persistence = .permanent
  )
    throws -> UInt64
  {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    limits.lifetimeSeconds = 100
    let credential = TaskScene.password("x", persistence, limits: limits)
    let plan = try cache.permanent.plan(.store(credential, for: [space], isDefault: true, over: []), now: 0)
    _ = cache.permanent.apply(plan)
    return cache.permanent.lastNumber
  }

  enum Gone: CaseIterable { case not, removed, all }

  /// Two replies have given it, and one of them could not be written.
  @Test(arguments: Gone.allCases) func theUsesUntilTheLastWritingCount(_ gone: Gone) throws {
    var (cache, generation) = Self.cache()
    for _ in 0..<2 { cache.beginKeeping(generation: generation) }
    switch gone {
    case .not: break
    case .removed: cache.remove(Self.key)
    case .all: cache.removeAll()
    }
    cache.link(Self.key, generation: generation, to: nil)
    let number = try Self.keep(in: &cache)
    cache.link(Self.key, generation: generation, to: number)
    #expect(cache.permanent[number]?.record.uses == 3)
  }

  /// What time ends, it ends on every host: the fleet is not told (storage.md 9.12).
  @Test func aCopyThatIsOverIsNoRemovalForTheFleet() throws {
    var (cache, generation) = Self.cache()
    cache.beginKeeping(generation: generation)
    let number = try Self.keep(in: &cache, uses: nil, .synchronizable)
    cache.link(Self.key, generation: generation, to: number)
    cache.removeExpired(now: 100, wallClock: 1100)
    #expect(cache.count == 0 && cache.permanent.count == 0)
    let plan = try cache.permanent.plan(.drop(number), now: 100)
    #expect(plan.removed == [number] && plan.added.isEmpty)
  }

  // MARK: What a table counts

  @Test func aTableKnowsWhenOtherEntriesMayBeFound() {
    var (cache, _) = Self.cache()
    let before = cache.table.revision
    cache.table.add([], to: Self.key)
    #expect(cache.table.revision == before)
    cache.table.add([CallersWay(roots: "r")], to: Self.key)
    #expect(cache.table.revision == before + 1)
  }

  @Test func aTableIsSearchedForTheOldestOfASixteenth() {
    var table = CredentialTable()
    #expect(table.leastRecentlyUsed() == nil && table.searches == 1)
    for number in 0..<32 {
      var cache = CredentialCache()
      cache.store(
        TaskScene.password("x", user: "u\(number)"), for: Self.space, owner: nil, now: Double(number))
      for entry in cache.all { table.insert(entry, at: entry.key) }
    }
    let found = (0..<6).map { _ in table.leastRecentlyUsed()?.user }
    #expect(found == ["u0", "u1", "u2", "u0", "u1", "u2"] && table.searches == 3)
  }

  @Test func aFleetKeepsNoMoreRemovalsThanCredentials() {
    var fleet = FleetState()
    var entry = PermanentCredentials.Entry(
      generation: 1, space: Self.space, credential: TaskScene.password("x", .synchronizable),
      isDefault: false,
      record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
    entry.synchronization = SynchronizationMark(version: 1, pending: .removal)
    for number in 0...FleetState.removalCapacity {
      fleet.noteRemoval(entry, at: CredentialCache.Key(space: Self.space, user: "u\(number)"))
    }
    let last = FleetState.removalCapacity
    #expect(fleet.removal(of: CredentialCache.Key(space: Self.space, user: "u\(last - 1)")) != nil)
    #expect(fleet.removal(of: CredentialCache.Key(space: Self.space, user: "u\(last)")) == nil)
  }

  @Test func anEntryIsNotFromAURLUnlessItIsSaid() {
    let (cache, _) = Self.cache()
    #expect(cache.all.map(\.isFromURL) == [false])
    let entry = PermanentCredentials.Entry(
      generation: 1, space: Self.space, credential: TaskScene.password("x"), isDefault: false,
      record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
    #expect(!entry.isFromURL && !entry.hasServedUnasked)
  }
}
