import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTransport
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// Changes that wait for their transaction (storage.md 9.6).
struct VaultQueueTests {
  private static func space(_ host: String) -> ProtectionSpace {
    ProtectionSpace(
      origin: Origin(scheme: .http, host: host, port: 80), realm: nil, authenticationMethod: .bearer)
  }

  private static func removal(_ host: String) -> PermanentCredentials.Change {
    .remove([space(host)], user: nil)
  }

  private static func queue(_ hosts: String...) -> VaultQueue {
    var queue = VaultQueue()
    for host in hosts { queue.append(removal(host)) { _ in } }
    return queue
  }

  /// How many changes each transaction has, until none is left.
  private static func batches(_ queue: VaultQueue) -> [Int] {
    var queue = queue
    var counts: [Int] = []
    while case let batch = queue.takeBatch(of: PermanentCredentials()), !batch.isEmpty {
      counts.append(batch.count)
    }
    return counts
  }

  @Test func oneTransactionHasOneChangeOfAnOrigin() {
    #expect(Self.batches(Self.queue()) == [])
    #expect(Self.batches(Self.queue("a", "b", "c")) == [3])
    #expect(Self.batches(Self.queue("a", "b", "a", "c")) == [2, 2])
    #expect(Self.batches(Self.queue("a", "a", "a")) == [1, 1, 1])
  }

  @Test func aTransactionHasSoManyChanges() {
    var queue = VaultQueue()
    for number in 0..<1026 { queue.append(Self.removal("h\(number)")) { _ in } }
    #expect(Self.batches(queue) == [1024, 2])
  }

  @Test func usesAreWrittenWithTheRest() {
    var queue = VaultQueue()
    queue.noteUses([1, 2])
    #expect(!queue.isEmpty && !queue.mustBeWritten)
    queue.noteUses([2, 3])
    let batch = queue.takeBatch(of: PermanentCredentials())
    guard batch.count == 1, case .noteUses(let numbers) = batch[0].change else {
      Issue.record("\(batch.count)")
      return
    }
    #expect(numbers == [1, 2, 3] && queue.isEmpty)
  }

  @Test func decisionsAndIdentitiesAreTakenOnce() {
    var queue = VaultQueue()
    #expect(queue.takeTrust() == nil && queue.takeIdentities() == nil && queue.isEmpty)
    queue.noteTrust()
    #expect(queue.hasTrust && queue.mustBeWritten && !queue.hasIdentities && !queue.isEmpty)
    #expect(queue.takeTrust()?.isEmpty == true && !queue.hasTrust && queue.isEmpty)
    queue.append(PermanentTrust.Change.remove(number: 1, origin: nil)) { _ in }
    #expect(queue.hasTrust && queue.takeTrust()?.count == 1 && queue.takeTrust() == nil)
    // Uses alone need not be written.
    queue.noteIdentities(mustBeWritten: false)
    #expect(queue.hasIdentities && !queue.mustBeWritten && !queue.isEmpty)
    queue.noteIdentities(mustBeWritten: true)
    #expect(queue.mustBeWritten && queue.takeIdentities()?.isEmpty == true)
    #expect(!queue.hasIdentities && !queue.mustBeWritten && queue.isEmpty)
    queue.append(PermanentIdentities.Change.remove(identifier: nil)) { _ in }
    #expect(queue.hasIdentities && queue.mustBeWritten && queue.takeIdentities()?.count == 1)
  }

  @Test func whatComesLaterIsBehind() {
    let cases: [(add: (inout VaultQueue) -> Void, hasTrust: Bool, hasIdentities: Bool)] = [
      ({ $0.noteTrust() }, true, false), ({ $0.noteIdentities(mustBeWritten: true) }, false, true),
      ({ $0.noteIdentities(mustBeWritten: false) }, false, true),
      ({ $0.append(PermanentTrust.Change.remove(number: 1, origin: nil)) { _ in } }, true, false),
      ({ $0.append(PermanentIdentities.Change.remove(identifier: nil)) { _ in } }, false, true),
      ({ $0.noteUses([1]) }, false, false),
    ]
    for (number, added) in cases.enumerated() {
      for isLater in [true, false] {
        var (queue, later) = (VaultQueue(), VaultQueue())
        if isLater { added.add(&later) } else { added.add(&queue) }
        let mustBeWritten = isLater ? later.mustBeWritten : queue.mustBeWritten
        queue.append(later)
        #expect(queue.hasTrust == added.hasTrust && !queue.isEmpty, "\(number)")
        #expect(queue.hasIdentities == added.hasIdentities, "\(number)")
        #expect(queue.mustBeWritten == mustBeWritten, "\(number)")
      }
    }
  }

  @Test func everyRequestIsTold() {
    var queue = Self.queue("a")
    var told: [String] = []
    queue.append(Self.removal("b")) { _ in told.append("credential") }
    queue.append(PermanentTrust.Change.remove(number: 1, origin: nil)) { _ in told.append("trust") }
    queue.append(PermanentIdentities.Change.remove(identifier: nil)) { _ in told.append("identity") }
    queue.noteUses([1])
    queue.failAll(.unavailable("x"))
    #expect(told == ["credential", "trust", "identity"] && queue.isEmpty)
  }

  /// What has to be written of one of two queues has to be of both.
  @Test(arguments: [false, true]) func aQueueBehindAnotherLosesNothing(isBehind: Bool) {
    func joined(_ change: (inout VaultQueue) -> Void) -> VaultQueue {
      var (changed, other) = (VaultQueue(), VaultQueue())
      change(&changed)
      if isBehind { other.append(changed) } else { changed.append(other) }
      return isBehind ? other : changed
    }
    let trust = joined { $0.noteTrust() }
    #expect(trust.hasTrust && trust.mustBeWritten && !trust.hasIdentities && !trust.isEmpty)
    let identities = joined { $0.noteIdentities(mustBeWritten: true) }
    #expect(identities.hasIdentities && identities.mustBeWritten && !identities.hasTrust)
    let uses = joined { $0.noteIdentities(mustBeWritten: false) }
    #expect(uses.hasIdentities && !uses.mustBeWritten && !uses.isEmpty)
    #expect(joined { $0.noteUses([1]) }.isEmpty == false)
    #expect(joined { _ in }.isEmpty)
  }

  @Test func anImportWithIdentitiesAloneIsNotEmpty() throws {
    #expect(VaultQueue.Merged().isEmpty)
    let privateKey = Secret(TestCertificates.oneKey.utf8)
    let identity = try ClientIdentity(
      anyTime: .pem(certificates: TestCertificates.one, privateKey: privateKey, passphrase: nil))
    let kept = KeptIdentity(identity.identity, certificates: TestCertificates.one, privateKey: privateKey)
    let draft = PermanentIdentities.Draft(kept, for: nil, record: UseRecord(created: 0))
    #expect(!VaultQueue.Merged(identities: [draft]).isEmpty)
    let trust = try TestCertificates.untrusted()
    let decision = PermanentTrust.Entry(
      number: 1, TrustDecision(trust, for: Self.space("a").origin), about: PermanentTrust.Subject(trust),
      created: 0)
    #expect(!VaultQueue.Merged(decisions: [decision]).isEmpty)
  }
}
