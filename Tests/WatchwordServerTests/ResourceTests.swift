import CLinux
import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// Memory, descriptors and processes, each counted for its uid (messages.md 5.6).
struct ResourceTests {
  init() { LoopThread.started }

  @Test @ReactorActor func aChargeGrowsWithinItsBudget() {
    let budget = MemoryBudget(limit: 10)
    var charge: MemoryCharge? = MemoryCharge(budget, uid: 1)
    #expect(charge!.grow(by: 10) && !charge!.grow(by: 1) && budget.total == 10)
    #expect(charge!.grow(to: 10) && charge!.grow(to: 4) && budget.total == 4)
    #expect(!charge!.grow(to: 11) && budget.total == 4)
    #expect(charge!.grow(to: 10) && budget.total == 10)
    charge!.shrink(by: 3)
    #expect(budget.total == 7)
    charge!.shrink(by: 30)
    #expect(budget.total == 0)
    charge!.growAnyway(by: 20)
    #expect(budget.total == 20 && budget.used(by: 1) == 20 && budget.used(by: 2) == 0)
    #expect(!budget.hasRoom(for: 1, of: 1) && budget.hasRoom(for: 10, of: 2))
    let other = charge!.another()
    #expect(!other.grow(by: 1))
    charge!.giveBack()
    charge!.giveBack()
    #expect(budget.total == 0 && other.grow(by: 5))
    charge!.follow(5)
    charge = nil
    #expect(budget.total == 5)
  }

  @Test @ReactorActor func aFileInMemoryCountsUntilItIsClosed() throws {
    let budget = MemoryBudget(limit: 4)
    var file: MemoryFile? = try MemoryFile(MemoryCharge(budget, uid: 1))
    #expect(Array("abc".utf8).withUnsafeBytes { file!.append($0) } == nil && file!.size == 3)
    guard case .overBudget? = Array("de".utf8).withUnsafeBytes({ file!.append($0) }) else {
      Issue.record("taken")
      return
    }
    file!.rewind()
    var room = [UInt8](repeating: 0, count: 9)
    #expect(read(file!.number, &room, 9) == 3 && file!.size == 3)
    file = nil
    #expect(budget.total == 0)
  }

  @Test func aBufferTakesAMebibyteOrOneLargePart() {
    let buffer = WriteBuffer()
    let most = 1024 * 1024
    #expect(buffer.isEmpty && buffer.growth(for: 2 * most) == 2 * most)
    #expect([UInt8](repeating: 1, count: most - 1).withUnsafeBytes(buffer.append))
    #expect(buffer.growth(for: 1) == 1 && buffer.growth(for: 2) == nil && buffer.count == most - 1)
    #expect([UInt8](repeating: 2, count: 1).withUnsafeBytes(buffer.append))
    #expect(buffer.withBytes { $0[most - 1] == 2 && $0.count == most } && buffer.heldBytes == most)
    buffer.removeAll()
    #expect(buffer.isEmpty && buffer.heldBytes == most && buffer.growth(for: 5) == 0)
    #expect([UInt8](repeating: 3, count: 2 * most).withUnsafeBytes(buffer.append))
    #expect(buffer.count == 2 * most && buffer.heldBytes == 2 * most)
    #expect(WriteBuffer().append(UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  @Test func theProcessKnowsWhatItHas() throws {
    let before = try #require(ProcessDescriptors.inUse)
    let more = (0..<50).map { _ in open("/dev/null", O_RDONLY) }
    let after = try #require(ProcessDescriptors.inUse)
    let listed = try #require(ProcessDescriptors.listed)
    for descriptor in more { close(descriptor) }
    #expect(after >= before + 25 && ProcessDescriptors.limit >= after)
    // Another thread may have opened or closed one meanwhile.
    #expect(abs(listed - after) <= 2)
    #expect(ProcessMemory.residentBytes() > 1 << 20)
    #expect(ProcessMemory.residentBytes() % Int64(sysconf(Int32(_SC_PAGESIZE))) == 0)
  }

  @Test func theOtherEndIsAProcess() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let process = try #require(PeerProcess(of: ends[0]))
    #expect(process.pid == getpid() && process.uid == getuid())
    let executable = try #require(process.executable)
    #expect(executable.hasPrefix("/") && access(executable, F_OK) == 0)
    let other = try #require(PeerProcess(of: ends[1]))
    let identifier = process.identifier(behind: PeerIdentifier(1))
    #expect(identifier == other.identifier(behind: PeerIdentifier(2)))
    #expect(identifier != ProcessIdentifier(pid: getpid(), startTime: 0))
    #expect(PeerProcess(of: -1) == nil)
    // The kernel calls a process 0 that this one cannot see.
    let hidden = PeerProcess(pid: 0, uid: 5, of: ends[0])
    let peer = PeerIdentifier(3)
    #expect(hidden.pid == nil && hidden.uid == 5 && hidden.executable == nil)
    #expect(hidden.identifier(behind: peer) == ProcessIdentifier(unknownBehind: peer, pid: nil))
    let file = open("/dev/null", O_RDONLY)
    #expect(PeerProcess(of: file) == nil)
    close(file)
  }

  @Test func randomNumbersAreFresh() {
    let challenges = (0..<100).map { _ in Randomness.challengeIdentifier() }
    #expect(Set(challenges).count == 100)
    let numbers = challenges.compactMap { Int($0.dropFirst().prefix { $0 != "-" }) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 100)
    #expect(challenges.allSatisfy { $0.hasPrefix("c") && $0.split(separator: "-").last?.count == 16 })
    #expect(Set((0..<100).map { _ in Randomness.clientNonce() }).count == 100)
    #expect(Randomness.clientNonce().count == 32 && Randomness.sessionSuffix().count == 16)
    #expect(Randomness.key().count == 32 && Randomness.key() != Randomness.key())
    #expect(Clock.wallSeconds() > 1_700_000_000)
  }
}
