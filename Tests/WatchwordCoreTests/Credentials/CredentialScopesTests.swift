import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Where an accepted credential goes unasked, and which nonce it keeps (storage.md 9.4, challenges.md 7.7).
struct CredentialScopesTests {
  private var entry = CachedCredential(
    generation: 1, space: TaskScene.space("r", .digest), credential: TaskScene.password("x"), isDefault: true,
    record: UseRecord(created: 0), owner: 1, wasGivenForSpace: true)

  private func covers(_ path: String) -> Bool {
    entry.scopeDepth(covering: TaskScene.url(path), MethodPolicy()) != nil
  }

  private mutating func accept(_ path: String) {
    entry.noteAcceptance(in: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)))
  }

  @Test mutating func theOldestOfTooManyScopesGoes() {
    for number in 0..<CachedCredential.scopeCapacity { accept("/d\(number)/x") }
    #expect(covers("/d0/y"))
    // One that is known already makes no room.
    accept("/d5/z")
    #expect(covers("/d0/y"))
    accept("/more/x")
    #expect(!covers("/d0/y") && covers("/d1/y") && covers("/more/y"))
    #expect(entry.scopes.count == CachedCredential.scopeCapacity)
  }

  @Test mutating func theOldestOfTooManyPathsThatLeftComesBack() {
    accept("/x")
    for number in 0..<CachedCredential.scopeCapacity { entry.leave("/p\(number)") }
    entry.leave("/p5")
    #expect(!covers("/p0") && covers("/other"))
    entry.leave("/more")
    #expect(covers("/p0") && !covers("/p1") && !covers("/more"))
  }

  @Test mutating func onlyThePathThatAcceptsItAgainComesBack() {
    accept("/x")
    entry.enter("/a")
    for path in ["/a", "/b"] { entry.leave(path) }
    entry.enter("/a")
    #expect(covers("/a") && !covers("/b"))
  }

  /// A server that wants its nonces in order is sent the accepted one as long as it can be (methods.md 8.6).
  @Test(
    arguments: [
      (true, true, DigestAlgorithm.sha256, 1, "old"), (false, true, .sha256, 1, "new"),
      (true, false, .sha256, 1, "new"), (true, true, .md5, 1, "new"),
      (true, true, .sha256, .max - 1, "old"), (true, true, .sha256, .max, "new"),
    ] as [(Bool, Bool, DigestAlgorithm, UInt32, OctetString)])
  mutating func anAcceptedNonceStaysWhereItCanStillBeSent(
    keepsNonce: Bool, isAccepted: Bool, algorithm: DigestAlgorithm, uses: UInt32, nonce: OctetString
  ) throws {
    let old = DigestChallenge(realm: "r", nonce: "old", algorithm: .sha256)
    let digest = try #require(
      DigestAuthenticator(challenge: old, user: "joe", password: TaskScene.secret("x"), uses: uses))
    entry.authenticator = .digest(digest)
    if isAccepted { accept("/x") }
    entry.adopt(DigestChallenge(realm: "r", nonce: "new", algorithm: algorithm), keepsNonce: keepsNonce)
    #expect(entry.digest?.challenge.nonce == nonce)
  }

  /// Whether a credential is tried by one task first (challenges.md 12.8).
  @Test func whatAServerHasTakenIsTriedNoMore() {
    let (memory, unasked) = (SessionMemory(), SessionMemory())
    let key = memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    unasked.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    #expect(memory.isUntried(key))
    #expect(!memory.isUntried(CredentialKey(space: TaskScene.space(), user: "ann")))
    unasked.servedUnasked(key, generation: 2)
    #expect(unasked.isUntried(key))
    unasked.servedUnasked(key, generation: 1)
    #expect(!unasked.isUntried(key))
    let scope = PreemptiveScope(method: .basic, acceptedAt: TaskScene.url())
    memory.accepted(key, generation: 2, scope: scope)
    #expect(memory.isUntried(key))
    memory.accepted(key, generation: 1, scope: scope)
    #expect(!memory.isUntried(key))
  }
}
