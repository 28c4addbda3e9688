import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Who may use which authenticated connection.
final class BoundConnectionsTests {
  private let space = ProtectionSpace(
    origin: Origin(scheme: .http, host: "a.test", port: 80), realm: nil, authenticationMethod: .ntlm)
  private let reader = Credential.Kind.password(user: "reader", password: Secret("one".utf8))
  private let writer = Credential.Kind.password(user: "writer", password: Secret("two".utf8))
  private var connections = BoundConnections()

  private func task(_ number: UInt64) -> TaskIdentifier { TaskIdentifier(number) }

  private func holder(_ number: UInt64, _ hop: Hop = .origin) -> BoundConnections.Holder {
    BoundConnections.Holder(task: task(number), hop: hop)
  }

  private func lease(
    _ number: UInt64, _ credential: Credential.Kind? = nil, isKept: Bool = true, to target: String? = nil,
    limit: Int = 2
  ) -> BoundConnections.Lease? {
    connections.lease(
      space, credential ?? reader, isKept: isKept, to: target, for: holder(number), limit: limit)
  }

  private func partition(_ number: UInt64, _ other: ConnectionPartition) -> ConnectionPartition {
    var partition = other
    partition.bound = connections.connection(of: holder(number))
    connections.note(partition, of: holder(number))
    return partition
  }

  private func takeGranted() -> [BoundConnections.Holder] { connections.takeGranted() }
  private func takeClosed() -> [ConnectionPartition] { connections.takeClosed() }
  private func takeEnded() -> [UInt64] { connections.takeEnded() }

  @Test func aConnectionServesOneTaskAtATime() throws {
    let first = try #require(lease(1))
    let second = try #require(lease(2))
    #expect(first.connection != second.connection && first.account == second.account)
    #expect(lease(3) == nil && lease(4) == nil)
    connections.release(holder(2))
    #expect(takeGranted() == [holder(3)])
    #expect(lease(3)?.connection == second.connection)
    #expect(lease(4) == nil)
  }

  @Test func theSameTaskKeepsItsConnection() throws {
    let first = try #require(lease(1))
    #expect(lease(1) == first)
  }

  @Test func anotherCredentialHasOtherConnections() throws {
    let first = try #require(lease(1))
    connections.note(isAuthenticated: true, of: holder(1))
    connections.release(holder(1))
    let other = try #require(lease(2, writer))
    #expect(other.account != first.account && other.connection != first.connection && !other.isAuthenticated)
    #expect(lease(3)?.isAuthenticated == true)
  }

  @Test func aServerThatWantsATokenAlwaysIsNotTrustedAgain() {
    _ = lease(1)
    connections.note(isAuthenticated: true, of: holder(1))
    connections.noteTokenAlways(for: holder(1))
    connections.release(holder(1))
    #expect(lease(2)?.isAuthenticated == false)
  }

  @Test func aRemovedCredentialTakesItsConnectionsAlong() throws {
    let lost = try #require(lease(1))
    _ = lease(2)
    _ = lease(3)
    let used = partition(1, .common)
    #expect(used.bound == lost.connection)
    connections.release(holder(1))
    connections.end(space) { _ in false }
    // The one that waited looks for a credential again; the one that is used ends with its task.
    #expect(takeGranted() == [holder(3)])
    #expect(takeClosed().isEmpty && takeEnded().isEmpty)
    connections.end(task(3))
    connections.end(task(2))
    #expect(takeEnded() == [lost.account])
    #expect(lease(4)?.account != lost.account)
  }

  @Test func aCredentialForOneAnswerEndsWithItsTasks() throws {
    let lent = try #require(lease(1, isKept: false))
    #expect(lease(2, isKept: false)?.account == lent.account)
    let used = partition(1, .common)
    connections.note(isAuthenticated: true, of: holder(1))
    connections.end(task(1))
    #expect(takeEnded().isEmpty)
    connections.end(task(2))
    #expect(takeEnded() == [lent.account])
    #expect(takeClosed() == [used])
    #expect(lease(3)?.account != lent.account)
  }

  @Test func aCredentialThatWasNeverAcceptedIsForgotten() throws {
    let account = try #require(lease(1)).account
    connections.end(task(1))
    #expect(takeEnded() == [account])
  }

  @Test func whoWaitsMayLeave() {
    _ = lease(1, limit: 1)
    #expect(lease(2, limit: 1) == nil && lease(3, limit: 1) == nil)
    connections.end(task(2))
    connections.release(holder(1))
    #expect(takeGranted() == [holder(3)])
  }

  @Test func manyTasksTakeTurnsInTheirOrder() {
    for number in 1...1000 { _ = lease(UInt64(number), limit: 6) }
    var order: [BoundConnections.Holder] = []
    for number in 1...1000 {
      connections.end(task(UInt64(number)))
      order += takeGranted()
    }
    #expect(order == (7...1000).map { holder(UInt64($0)) })
  }

  @Test func anotherPartitionIsAnotherConnection() throws {
    _ = lease(1)
    let former = partition(1, .common)
    let present = partition(1, .decided)
    #expect(former != present)
    #expect(takeClosed() == [former])
  }

  @Test func tunnelsToTwoTargetsAreCountedApartAndNotExchanged() throws {
    let first = try #require(lease(1, to: "a:443", limit: 1))
    let second = try #require(lease(2, to: "b:443", limit: 1))
    #expect(first.account == second.account && first.connection != second.connection)
    #expect(lease(3, to: "a:443", limit: 1) == nil)
    connections.release(holder(2))
    #expect(takeGranted().isEmpty)
    connections.release(holder(1))
    #expect(takeGranted() == [holder(3)])
    #expect(lease(3, to: "a:443", limit: 1)?.connection == first.connection)
    #expect(lease(4, to: "b:443", limit: 1)?.connection == second.connection)
  }

  @Test func whoTurnsToAnotherTargetGivesTheConnectionBack() throws {
    let first = try #require(lease(1, to: "a:443"))
    connections.note(isAuthenticated: true, of: holder(1))
    let second = try #require(lease(1, to: "b:443"))
    #expect(first.connection != second.connection && !second.isAuthenticated)
    #expect(lease(2, to: "a:443")?.isAuthenticated == true)
  }

  @Test func aTaskHoldsOneConnectionAtEachHop() throws {
    let origin = try #require(lease(1))
    let made = connections.lease(space, writer, isKept: true, for: holder(1, .proxy), limit: 2)
    let proxy = try #require(made)
    #expect(connections.connection(of: holder(1)) == origin.connection)
    #expect(connections.connection(of: holder(1, .proxy)) == proxy.connection)
    connections.end(task(1))
    #expect(Set(takeEnded()) == [origin.account, proxy.account])
  }

  @Test func endlesslyManyTargetsLeaveABoundedNumberOfConnections() {
    for number in 1...10_000 {
      _ = lease(UInt64(number), to: "\(number):443")
      connections.note(isAuthenticated: true, of: holder(UInt64(number)))
      _ = partition(UInt64(number), .common)
      connections.end(task(UInt64(number)))
    }
    #expect(takeClosed().count == 10_000 - 64)
  }

  @Test func whoWaitsAfterAConnectionWasIdleIsServed() {
    _ = lease(1, limit: 1)
    connections.release(holder(1))
    _ = lease(2, limit: 1)
    #expect(lease(3, limit: 1) == nil)
    connections.release(holder(2))
    #expect(takeGranted() == [holder(3)])
  }

  @Test func theEndOfOneCredentialLeavesTheOtherOnesOfItsSpace() throws {
    let kept = try #require(lease(1))
    _ = lease(2, writer)
    for number: UInt64 in [1, 2] { connections.note(isAuthenticated: true, of: holder(number)) }
    connections.end(space) { $0 == reader }
    #expect(lease(3)?.account == kept.account)
    connections.end(task(2))
    #expect(takeEnded().count == 1)
  }

  /// Each kind of change alone is one.
  @Test func whatIsGrantedClosedOrEndedIsNews() {
    #expect(!connections.hasNews)
    _ = lease(1, limit: 1)
    _ = lease(2, limit: 1)
    connections.release(holder(1))
    #expect(connections.hasNews)
    _ = takeGranted()
    #expect(!connections.hasNews)
    _ = partition(2, .common)
    _ = partition(2, .decided)
    #expect(connections.hasNews)
    _ = takeClosed()
    #expect(!connections.hasNews)
    _ = lease(3, writer)
    connections.end(task(3))
    #expect(connections.hasNews)
    _ = takeEnded()
    #expect(!connections.hasNews)
  }

  @Test func aNumberIsGivenOnce() {
    let numbers = (0..<3).map { _ in connections.makeNumber() }
    let lease = lease(1)
    #expect(Set(numbers + [lease?.account, lease?.connection].compactMap { $0 }).count == 5)
  }
}
