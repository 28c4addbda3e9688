import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Which changes are written together, which find no room, and who is told in which order: a table, in the
/// words of ``VaultScene``.
struct VaultTransactionTests {
  private struct Row {
    let changes: String
    let lines: [String]

    init(_ changes: String, _ lines: String...) { (self.changes, self.lines) = (changes, lines) }
  }

  private static func check(_ rows: [Row], in scene: VaultScene = VaultScene()) {
    for row in rows {
      var scene = scene
      scene.submit(row.changes)
      #expect(scene.writeAll() == row.lines, "\(row.changes)")
    }
  }

  @Test func changesOfDifferentOriginsGoTogether() {
    Self.check([
      Row("a", "[c1-0] a *"),
      Row("a b c", "[c3-0] a * b * c *"),
      // The second one of an origin waits, and whatever comes behind it.
      Row("a b a=2 c", "[c2-0] a * b *", "[c2-1] a=2 * c *"),
      Row("a a=2 a=3", "[c1-0] a *", "[c1-1] a=2 *", "[c1-1] a=3 *"),
      Row("a -a b", "[c1-0] a *", "[c1-1] -a * b *"),
    ])
  }

  @Test func decisionsAndIdentitiesDoNotWaitAndAreToldLast() {
    Self.check([
      Row("i1 t1 a", "[c1-0 t1-0 i1-0] a * t1 i1"),
      Row("i1 a t1 a=2 t2", "[c1-0 t2-0 i1-0] a * t1 t2 i1", "[c1-1] a=2 *"),
      // What has come and gone is not written. The number of a decision is.
      Row("t1 -t", "[c0-0 t0-0] t1 -t"),
      Row("i1 -i", "[] i1 -i"),
      Row("i1 -i i2", "[c0-0 i1-0] i1 -i i2"),
    ])
  }

  @Test func whatChangesNothingIsNotWrittenAndNoSessionHearsOfIt() {
    Self.check([
      Row("-a", "[] -a"),
      Row("-t -i", "[] -t -i"),
      Row("-a b", "[c1-0] -a b *"),
      Row("a a", "[c1-0] a *", "[] a"),
      Row("t1 t1", "[c0-0 t1-0] t1 t1"),
    ])
  }

  @Test func anImportIsInOneTransaction() {
    Self.check([
      Row("ma+t1+i1", "[c1-0 t1-0 i1-0] ma+t1+i1 *"),
      Row("ma+t1 ma+t2", "[c1-0 t1-0 i0-0] ma+t1 *", "[c0-0 t1-0 i0-0] ma+t2"),
      Row("t1 mb+t1 i1", "[c1-0 t1-0 i1-0] mb+t1 * t1 i1"),
      Row("mt1 mi1", "[c0-0 t1-0 i1-0] mt1 mi1"),
    ])
  }

  // MARK: Room

  /// An import that finds no room for one part leaves the others out, too.
  @Test func decisionsWithoutRoomAreRefused() {
    Self.check(
      [
        Row("t1", "[] t1:full"),
        Row("a t1", "[c1-0 t0-0] a * t1:full"),
        Row("-t t1", "[c0-0 t1-1024] -t t1"),
        Row("ma+t1+i1 b", "!ma+t1+i1:trust [c1-0] b *"),
        Row("mb+th1", "[c1-0 t0-0 i0-0] mb+th1 *"),
      ], in: VaultScene(decisions: PermanentTrust.capacity))
  }

  @Test func identitiesWithoutRoomAreRefused() {
    Self.check(
      [
        Row("i1", "!i1:full []"),
        Row("a i1", "!i1:full [c1-0 i0-0] a *"),
        Row("-i i1", "[c0-0 i1-256] -i i1"),
        // In the order of arrival: the removal comes too late.
        Row("i1 -i", "!i1:full [c0-0 i0-256] -i"),
        Row("ma+t1+i1 mb+t2", "!ma+t1+i1:identities [c1-0 t1-0 i0-0] mb+t2 *"),
      ], in: VaultScene(identities: PermanentIdentities.capacity))
  }

  @Test func credentialsWithoutRoomAreRefused() {
    Self.check(
      [
        Row("a t1", "!a:credentials [c0-0 t1-0] t1"),
        Row("h1=2", "[c1-1] h1=2 *"),
        // It has no room before the transaction of the removal is over.
        Row("-h1 a", "!a:credentials [c0-1] -h1 *"),
        Row("ma+t1+i1 mh2+t2", "!ma+t1+i1:credentials [c0-0 t1-0 i0-0] mh2+t2"),
      ], in: VaultScene(credentials: PermanentCredentials.capacity))
  }

  // MARK: The time of the writing

  @Test func nothingCountsBeforeItIsWritten() {
    var scene = VaultScene()
    scene.submit("a t1 i1")
    let transaction = scene.plan()
    #expect(scene.queue.isEmpty)
    #expect(
      scene.holdings.credentials.count + scene.holdings.trust.count + scene.holdings.identities.count == 0)
    #expect(scene.finish(transaction) == "[c1-0 t1-0 i1-0] a * t1 i1")
    let counts = (
      scene.holdings.credentials.count, scene.holdings.trust.count, scene.holdings.identities.count
    )
    #expect(counts == (1, 1, 1))
    #expect(scene.holdings.storedTrust.count == 1 && scene.holdings.storedIdentities.count == 1)
  }

  @Test func whatIsNotWrittenFailsAndDoesNotCount() {
    var scene = VaultScene()
    scene.submit("i1 t1 a b a=2")
    #expect(scene.fail() == "a:failed b:failed t1:failed i1:failed")
    #expect(scene.holdings.storedTrust.count == 0 && scene.holdings.storedIdentities.count == 0)
    #expect(scene.writeAll() == ["[c1-0] a=2 *"])
  }

  @Test func whatComesDuringTheWritingIsBehind() {
    var scene = VaultScene()
    scene.submit("a")
    let transaction = scene.plan()
    scene.submit("a=2 t1")
    #expect(scene.finish(transaction) == "[c1-0] a *")
    #expect(scene.writeAll() == ["[c1-1 t1-0] a=2 * t1"])
  }

  @Test func whatIsTakenBackIsRemovedByTheNextOne() throws {
    var scene = VaultScene()
    scene.submit("t1 i1")
    _ = scene.write()
    let recording = try #require(scene.holdings.trust.all.first)
    scene.holdings.trust.takeBack(PermanentTrust.Recording(entry: recording, replaced: nil, isNew: true))
    scene.queue.noteTrust()
    let added = try #require(scene.holdings.identities.all.first)
    scene.holdings.identities.takeBack(PermanentIdentities.Addition(entry: added, replaced: []))
    scene.queue.noteIdentities()
    #expect(scene.writeAll() == ["[c0-0 t0-1 i0-1]"])
    #expect(scene.holdings.storedTrust.count == 0 && scene.holdings.storedIdentities.count == 0)
  }

  @Test func whatIsTakenBackDuringTheWritingIsTheLastWord() throws {
    var scene = VaultScene()
    scene.submit("t1")
    _ = scene.write()
    scene.submit("t2")
    let transaction = scene.plan()
    let recording = try #require(scene.holdings.trust.all.first)
    scene.holdings.trust.takeBack(PermanentTrust.Recording(entry: recording, replaced: nil, isNew: true))
    scene.queue.noteTrust()
    #expect(scene.finish(transaction) == "[c0-0 t1-0] t2")
    #expect(scene.holdings.trust.count == 1 && scene.holdings.storedTrust.count == 2)
    #expect(scene.writeAll() == ["[c0-0 t0-1]"])
  }

  @Test func whatIsPutOffIsBehindTheRest() {
    var scene = VaultScene()
    scene.submit("a=2 t1", isPutOff: true)
    scene.submit("a b")
    #expect(scene.writeAll() == ["[c2-0] a * b *"])
    scene.submit("c")
    scene.queue.takeLater()
    #expect(scene.writeAll() == ["[c2-1 t1-0] c * a=2 * t1"])
  }

  // MARK: Random orders

  private static let names = ["a", "b", "-a", "t1", "t2", "-t", "i1", "-i", "ma+t1+i1", "mb"]

  /// Whatever comes, is put off, written or fails: each change is answered once.
  @Test func everyChangeIsAnsweredOnce() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      var scene = VaultScene()
      var told: [String] = []
      for _ in 0..<20 {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: told.append(scene.write())
        case 1: told.append(scene.fail())
        case 2: told.append(scene.text(scene.queue.failAll(.locked)))
        case 3: scene.queue.takeLater()
        case let number:
          let name = Self.names[Int.random(in: Self.names.indices, using: &generator)]
          scene.submit(name, isPutOff: number == 4)
        }
      }
      scene.queue.takeLater()
      told += scene.writeAll()
      #expect(scene.names.isEmpty && !told.contains { $0.contains("nobody") }, "\(told)")
    }
  }
}
