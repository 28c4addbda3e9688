import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What is remembered of servers' nonces, and how much of it (methods.md 8.6 to 8.8).
struct NonceMemoryTests {
  private func space(_ number: Int) -> ProtectionSpace { TaskScene.space("r\(number)", .digest) }

  private func challenge(_ nonce: String) -> DigestChallenge {
    DigestChallenge(realm: "r", nonce: OctetString(nonce))
  }

  @Test func theOldestOfTooManyConnectionsIsForgotten() {
    var nonces = ConnectionNonces()
    let (first, capacity) = (space(0), 256)
    for number in 0..<capacity {
      nonces.note(challenge("n\(number)"), of: first, on: UInt64(number))
    }
    let bytes = nonces.heldBytes
    func known(_ connection: Int) -> Bool { nonces.challenge(of: first, on: UInt64(connection)) != nil }
    #expect(known(0))
    for number in capacity..<2 * capacity + 2 {
      nonces.note(challenge("n\(number)"), of: first, on: UInt64(number))
      #expect(known(number) && known(number - capacity + 1) && !known(number - capacity))
    }
    #expect(nonces.heldBytes > bytes)
  }

  @Test func aNonceThatIsGivenAgainIsKnownForThatOnly() {
    var nonces = ConnectionNonces()
    let first = space(0)
    #expect(!nonces.isGivenAgain("n", in: first) && nonces.connection(of: "n", in: first) == nil)
    nonces.note(challenge("n"), of: first, on: 1)
    #expect(!nonces.isGivenAgain("n", in: first) && nonces.connection(of: "n", in: first) == 1)
    let bytes = nonces.heldBytes
    nonces.note(challenge("n"), of: first, on: 1, hadServed: true)
    #expect(nonces.isGivenAgain("n", in: first) && nonces.heldBytes == bytes)
    nonces.note(nextNonce: "m", of: first, on: 1)
    nonces.note(nextNonce: "o", of: first, on: 2)
    #expect(nonces.connection(of: "m", in: first) == 1 && nonces.connection(of: "o", in: first) == nil)
    #expect(!nonces.isGivenAgain("m", in: first))
  }

  /// The second refusal is no accident; an acceptance ends the suspicion for good.
  @Test func aServerIsBoundAfterTwoRefusalsAndNoAcceptance() {
    var nonces = ConnectionNonces()
    nonces.noteRefusal(in: space(0))
    #expect(!nonces.isBound(space(0)))
    let bytes = nonces.heldBytes
    nonces.noteRefusal(in: space(0))
    #expect(nonces.isBound(space(0)) && nonces.heldBytes == bytes)
    nonces.noteAcceptance(in: space(0))
    #expect(nonces.isBound(space(0)) && !nonces.isUnbound(space(0)) && nonces.heldBytes == bytes)
    nonces.noteRefusal(in: space(1))
    #expect(nonces.heldBytes == 2 * bytes)
    for _ in 0..<2 { nonces.noteAcceptance(in: space(1)) }
    #expect(nonces.isUnbound(space(1)) && nonces.heldBytes == 2 * bytes)
    for _ in 0..<2 { nonces.noteRefusal(in: space(1)) }
    #expect(!nonces.isBound(space(1)) && nonces.heldBytes == 2 * bytes)
    nonces.noteAcceptance(in: space(2))
    #expect(nonces.isUnbound(space(2)) && nonces.heldBytes == 3 * bytes)
  }

  @Test func spacesBeyondTheBoundAreFoundOutAgain() {
    var (bound, unbound, reuse) = (ConnectionNonces(), ConnectionNonces(), NonceReuse())
    let spaces = (0...4096).map(space)
    for space in spaces {
      for _ in 0..<2 { bound.noteRefusal(in: space) }
      unbound.noteAcceptance(in: space)
      reuse.note(.refused, of: space)
    }
    #expect(spaces.suffix(2).map(bound.isBound) == [true, false])
    #expect(spaces.suffix(2).map(unbound.isUnbound) == [true, false])
    #expect(spaces.suffix(2).map(reuse.isAllowed) == [false, true])
    // What is known already is still changed.
    reuse.note(.accepted, of: spaces[0])
    #expect(reuse.isAllowed(in: spaces[0]))
  }

  @Test func whatIsSuspectedOfASpaceIsFoundOutAlsoWhenThereIsNoRoomForOthers() {
    var nonces = ConnectionNonces()
    for number in 0..<4096 { nonces.noteRefusal(in: space(number)) }
    for number in [4096, 4096, 7] { nonces.noteRefusal(in: space(number)) }
    #expect(nonces.isBound(space(7)) && !nonces.isBound(space(4096)))
  }

  @Test func whatIsFoundOutOfASpaceIsCountedOnce() {
    var reuse = NonceReuse()
    reuse.note(.suspected, of: space(0))
    let bytes = reuse.heldBytes
    #expect(bytes > 0)
    reuse.note(.accepted, of: space(0))
    #expect(reuse.heldBytes == bytes && reuse.isAllowed(in: space(0)))
    reuse.note(.refused, of: space(1))
    #expect(reuse.heldBytes == 2 * bytes)
  }

  // MARK: Turns (methods.md 8.6)

  @Test func requestsGoOneAtATimeInOnlySoManySpaces() {
    var turns = NonceTurns()
    for number in 0...4096 { turns.begin(space(number), TaskIdentifier(UInt64(number))) }
    #expect(turns.isOrdered(space(4095)) && !turns.isOrdered(space(4096)))
  }

  @Test(arguments: [false, true]) func theOrderLastsOnlyIfTheRepetitionWasAccepted(_ isAccepted: Bool) {
    var turns = NonceTurns()
    turns.begin(space(0), TaskIdentifier(1))
    #expect(turns.hasNews)
    let begun = turns.takeBegun()
    #expect(begun == [space(0)] && !turns.hasNews)
    #expect(!turns.isLasting(space(0)))
    let mayGo = turns.enter(space(0), TaskIdentifier(2))
    #expect(!mayGo && !turns.hasNews)
    // One that waits has sent nothing.
    turns.noteAcceptance(of: TaskIdentifier(2), at: .origin)
    #expect(!turns.isLasting(space(0)))
    if isAccepted { turns.noteAcceptance(of: TaskIdentifier(1), at: .origin) }
    turns.leave(TaskIdentifier(1))
    #expect(turns.hasNews)
    let granted = turns.takeGranted()
    #expect(granted == [TaskIdentifier(2)] && !turns.hasNews)
    turns.leave(TaskIdentifier(2))
    #expect(turns.isOrdered(space(0)) == isAccepted && turns.isLasting(space(0)) == isAccepted)
  }
}
