import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The uses of an entry while its record is being written (storage.md 9.6.7), and what a table counts.
struct UnwrittenUsesTests {
  private static let space = TaskScene.space()
  private static let key = CredentialKey(space: space, user: "joe")

  /// A memory whose entry was used three times.
  private static func memory() -> (SessionMemory, generation: UInt64) {
    let memory = SessionMemory()
    memory.store(TaskScene.password("x"), for: space, owner: nil, now: 0)
    let generation = memory.latestGeneration
    _ = memory.table.change(key) { for time in [1.0, 2, 3] { $0.record.noteUse(now: time) } }
    return (memory, generation)
  }

  /// The account's record, as another writing has made it.
  private static func keep(in memory: SessionMemory, uses: Int? = 9, _ persistence: Persistence = .permanent)
    throws -> UInt64
  {
    var limits = CredentialLimits()
    limits.maximumUses = uses
    limits.lifetimeSeconds = 100
    let credential = TaskScene.password("x", persistence, limits: limits)
    let plan = try memory.permanent.plan(.store(credential, for: [space], isDefault: true, over: []), now: 0)
    _ = memory.permanent.apply(plan)
    return memory.permanent.lastNumber
  }

  enum Gone: CaseIterable { case not, removed, all }

  /// Two replies have given it, and one of them could not be written.
  @Test(arguments: Gone.allCases) func theUsesUntilTheLastWritingCount(_ gone: Gone) throws {
    let (memory, generation) = Self.memory()
    for _ in 0..<2 { memory.beginKeeping(generation: generation) }
    switch gone {
    case .not: break
    case .removed: memory.remove(Self.key)
    case .all: memory.removeAll()
    }
    memory.link(Self.key, generation: generation, to: nil)
    let number = try Self.keep(in: memory)
    memory.link(Self.key, generation: generation, to: number)
    #expect(memory.permanent[number]?.record.uses == 3)
  }

  /// What time ends, it ends on every host: the fleet is not told (storage.md 9.12).
  @Test func aCopyThatIsOverIsNoRemovalForTheFleet() throws {
    let (memory, generation) = Self.memory()
    memory.beginKeeping(generation: generation)
    let number = try Self.keep(in: memory, uses: nil, .synchronizable)
    memory.link(Self.key, generation: generation, to: number)
    memory.removeExpired(now: 100, wallClock: 1100)
    #expect(memory.count == 0 && memory.permanent.count == 0)
    let plan = try memory.permanent.plan(.drop(number), now: 100)
    #expect(plan.removed == [number] && plan.added.isEmpty)
  }

  // MARK: What a table counts

  @Test func aTableKnowsWhenOtherEntriesMayBeFound() {
    let (memory, _) = Self.memory()
    let before = memory.table.revision
    memory.table.add([], to: Self.key)
    #expect(memory.table.revision == before)
    memory.table.add([CallersWay(roots: "r")], to: Self.key)
    #expect(memory.table.revision == before + 1)
  }

  @Test func aTableIsSearchedForTheOldestOfASixteenth() {
    var table = CredentialTable()
    #expect(table.leastRecentlyUsed() == nil && table.searches == 1)
    for number in 0..<32 {
      let memory = SessionMemory()
      memory.store(
        TaskScene.password("x", user: "u\(number)"), for: Self.space, owner: nil, now: Double(number))
      for entry in memory.all { table.insert(entry, at: entry.key) }
    }
    let found = (0..<6).map { _ in table.leastRecentlyUsed()?.user }
    #expect(found == ["u0", "u1", "u2", "u0", "u1", "u2"] && table.searches == 3)
  }

  @Test func aFleetKeepsNoMoreRemovalsThanCredentials() {
    var fleet = FleetState()
    var entry = CachedCredential(
      generation: 1, space: Self.space, credential: TaskScene.password("x", .synchronizable),
      isDefault: false,
      record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
    entry.synchronization = SynchronizationMark(version: 1, pending: .removal)
    for number in 0...FleetState.removalCapacity {
      fleet.noteRemoval(entry, at: CredentialKey(space: Self.space, user: "u\(number)"))
    }
    let last = FleetState.removalCapacity
    #expect(fleet.removal(of: CredentialKey(space: Self.space, user: "u\(last - 1)")) != nil)
    #expect(fleet.removal(of: CredentialKey(space: Self.space, user: "u\(last)")) == nil)
  }

  @Test func anEntryIsNotFromAURLUnlessItIsSaid() {
    let (memory, _) = Self.memory()
    #expect(memory.all.map(\.isFromURL) == [false])
    let entry = CachedCredential(
      generation: 1, space: Self.space, credential: TaskScene.password("x"), isDefault: false,
      record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
    #expect(!entry.isFromURL && !entry.hasServedUnasked)
  }
}
