import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Changes that wait for their transaction (storage.md 9.6).
struct VaultQueueTests {
  private static func removal(_ host: String) -> VaultChange {
    let origin = Origin(scheme: .http, host: host, port: 80)
    let space = ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .bearer)
    return .credentials(.remove([space], user: nil), merging: VaultChange.Merged())
  }

  private static let trust = VaultChange.trust(.remove(number: 1, origin: nil))
  private static let identities = VaultChange.identities(.remove(identifier: nil))

  private static func queue(_ changes: [VaultChange], isPutOff: Bool = false) -> VaultQueue {
    var queue = VaultQueue()
    for change in changes { _ = queue.append(change, isPutOff: isPutOff) }
    return queue
  }

  /// How many changes each transaction has, until none is left.
  private static func batches(_ hosts: [String]) -> [Int] {
    var queue = queue(hosts.map(removal))
    var counts: [Int] = []
    while case let batch = queue.takeRequests(of: PermanentCredentials()), !batch.isEmpty {
      counts.append(batch.count)
    }
    return counts
  }

  @Test func oneTransactionHasOneChangeOfAnOrigin() {
    #expect(Self.batches([]) == [])
    #expect(Self.batches(["a", "b", "c"]) == [3])
    #expect(Self.batches(["a", "b", "a", "c"]) == [2, 2])
    #expect(Self.batches(["a", "a", "a"]) == [1, 1, 1])
  }

  @Test func aTransactionHasSoManyChanges() {
    #expect(Self.batches((0..<1026).map { "h\($0)" }) == [1024, 2])
  }

  @Test func usesAreWrittenWithTheRest() {
    var queue = VaultQueue()
    queue.append([.noteUses([1, 2])], isPutOff: false)
    #expect(!queue.isEmpty && !queue.mustBeWritten)
    // They are not put off: they go with what they are of.
    queue.append([.noteUses([2, 3])], isPutOff: true)
    let batch = queue.takeRequests(of: PermanentCredentials())
    #expect(batch.map(\.change) == [.noteUses([1, 2, 3])] && queue.isEmpty)
  }

  @Test(arguments: [false, true]) func whatRulesAskForWaitsLikeTheRest(isPutOff: Bool) {
    var queue = VaultQueue()
    queue.append([.drop(1), .drop(2)], isPutOff: isPutOff)
    #expect(queue.isEmpty == isPutOff && !queue.mustBeWritten)
    queue.takeLater()
    #expect(queue.takeRequests(of: PermanentCredentials()).map(\.change) == [.drop(1), .drop(2)])
  }

  private struct Row: Sendable {
    let name: String
    let add: @Sendable (inout VaultQueue) -> Void
    var hasTrust = false
    var hasIdentities = false
    var mustBeWritten = true
  }

  private static let rows = [
    Row(name: "credential", add: { _ = $0.append(removal("a"), isPutOff: false) }, mustBeWritten: false),
    Row(name: "uses", add: { $0.append([.noteUses([1])], isPutOff: false) }, mustBeWritten: false),
    Row(name: "decision", add: { _ = $0.append(trust, isPutOff: false) }, hasTrust: true),
    Row(name: "decision taken back", add: { $0.noteTrust() }, hasTrust: true),
    Row(name: "identity", add: { _ = $0.append(identities, isPutOff: false) }, hasIdentities: true),
    Row(name: "identity taken back", add: { $0.noteIdentities() }, hasIdentities: true),
    Row(
      name: "uses of identities", add: { $0.note(news(isUsed: true)) }, hasIdentities: true,
      mustBeWritten: false),
    Row(name: "identities over", add: { $0.note(news(isUsed: false)) }, hasIdentities: true),
  ]

  /// What is there to be written, and what must not be missing.
  @Test func whatWaitsIsKnownUntilItIsTaken() {
    for row in Self.rows {
      var queue = VaultQueue()
      row.add(&queue)
      #expect(!queue.isEmpty && queue.hasTrust == row.hasTrust, "\(row.name)")
      #expect(queue.hasIdentities == row.hasIdentities, "\(row.name)")
      #expect(queue.mustBeWritten == row.mustBeWritten, "\(row.name)")
      _ = queue.takeRequests(of: PermanentCredentials())
      _ = (queue.takeTrust(), queue.takeIdentities())
      #expect(queue.isEmpty && !queue.mustBeWritten, "\(row.name)")
    }
  }

  @Test func allThatWaitsFailsAtOnce() {
    for row in Self.rows {
      var queue = VaultQueue()
      row.add(&queue)
      _ = queue.failAll(.locked)
      #expect(queue.isEmpty && !queue.mustBeWritten, "\(row.name)")
    }
  }

  /// One identity that is counted, or one that is over.
  private static func news(isUsed: Bool) -> PermanentIdentities.News {
    let kept = KeptIdentity(
      Identity.of("a", issuers: ["A"]), certificates: "c", privateKey: Secret("k".utf8))
    var limits = CredentialLimits()
    limits.maximumUses = isUsed ? 9 : 1
    var identities = PermanentIdentities()
    let record = UseRecord(limits: limits, created: 0)
    _ = identities.apply(.add(PermanentIdentities.Draft(kept, for: nil, record: record)))
    identities.noteUse(1, now: 0)
    if isUsed { return identities.takeNews() }
    _ = identities.takeNews()
    _ = identities.dropExpired(now: 0, wallClock: 0)
    return identities.takeNews()
  }

  @Test func whatIsPutOffWaitsBehindTheOthersThen() {
    for change in [Self.removal("a"), Self.trust, Self.identities] {
      var queue = Self.queue([change], isPutOff: true)
      #expect(queue.isEmpty && !queue.hasTrust && !queue.hasIdentities && !queue.mustBeWritten)
      #expect(queue.failAll(.locked).isEmpty)
      queue.takeLater()
      #expect(!queue.isEmpty && queue.failAll(.locked).count == 1 && queue.isEmpty)
    }
    var queue = Self.queue([Self.removal("a")], isPutOff: true)
    _ = queue.append(Self.removal("b"), isPutOff: false)
    queue.takeLater()
    let tickets = queue.takeRequests(of: PermanentCredentials()).map(\.ticket.number)
    queue.takeLater()
    #expect(tickets == [2, 1] && queue.isEmpty)
  }
}
