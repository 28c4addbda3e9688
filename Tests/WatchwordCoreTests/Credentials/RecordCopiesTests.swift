import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Copies of the account's records in a session (storage.md 9.6.5 to 9.6.7).
struct RecordCopiesTests {
  private var memory = SessionMemory()
  private let space = TaskScene.space()
  private let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])

  private func use(_ path: String = "/d/x", now: Double = 1) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: "GET", process: 1, now: now, wallClock: 1000 + now)
  }

  private static func credential(_ user: String, paths: [String] = [], uses: Int? = nil) -> Credential {
    var limits = CredentialLimits()
    limits.pathPrefixes = paths
    limits.maximumUses = uses
    var credential = TaskScene.password("x", user: user, .permanent, limits: limits)
    credential.isPreemptive = !paths.isEmpty
    return credential
  }

  /// A record, and its number.
  @discardableResult
  private mutating func keep(
    _ credential: Credential, for space: ProtectionSpace = TaskScene.space(), isDefault: Bool = true
  ) throws -> UInt64 {
    let plan = try memory.permanent.plan(
      .store(credential, for: [space], isDefault: isDefault, over: []), now: 0)
    _ = memory.permanent.apply(plan)
    return memory.permanent.lastNumber
  }

  /// A server has accepted the record here.
  private mutating func accept(_ number: UInt64, _ credential: Credential, at path: String = "/x") throws {
    memory.storeCopy(
      of: number, credential, for: space,
      authenticator: try Authenticator(offer: offer, credential: credential),
      scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), now: 0)
  }

  private func held(_ user: String) -> CachedCredential? {
    memory.held(at: CredentialKey(space: space, user: user))
  }

  private mutating func users(at path: String) -> [String?] {
    memory.candidates(for: space, use: use(path)).map(\.credential.user)
  }

  @Test mutating func aCopyIsTheDefaultOnlyWhereThereIsNone() throws {
    let joe = Self.credential("joe")
    let number = try keep(joe)
    var other = Self()
    try other.keep(joe)
    try accept(number, joe)
    #expect(held("joe")?.isDefault == true && held("joe")?.permanentNumber == number)
    other.memory.store(TaskScene.password("x", user: "ann"), for: space, owner: 1, now: 0)
    try other.accept(number, joe)
    #expect(other.held("joe")?.isDefault == false && other.held("ann")?.isDefault == true)
    // The holders know of the record.
    #expect(other.memory.changes.map(\.key.user) == ["ann"])
  }

  @Test mutating func theSessionsOwnStaysBesideARecord() throws {
    let joe = Self.credential("joe")
    let number = try keep(joe)
    var other = Self()
    try other.keep(joe)
    other.memory.store(TaskScene.password("own"), for: space, owner: 1, now: 0)
    try other.accept(number, joe)
    #expect(other.held("joe")?.permanentNumber == nil && other.held("joe")?.scopes.isEmpty == true)
    for path in ["/a/x", "/b/x"] { try accept(number, joe, at: path) }
    #expect(memory.count == 1 && held("joe")?.scopes.count == 2)
  }

  @Test mutating func aRecordThatIsRemovedMeanwhileHasNoCopy() throws {
    try accept(7, Self.credential("joe"))
    #expect(memory.count == 0)
    let number = try keep(Self.credential("joe"))
    try accept(number, Self.credential("joe"))
    memory.permanent.drop(number)
    let found = users(at: "/x")
    #expect(found.isEmpty && memory.count == 0)
  }

  @Test(arguments: [false, true]) mutating func aCopyIsNotSentWhenItsRecordHasNoUseLeft(_ isGone: Bool) throws
  {
    let number = try keep(Self.credential("joe", uses: 2))
    try accept(number, Self.credential("joe", uses: 2))
    let key = CredentialKey(space: space, user: "joe")
    let use = use()
    func send(_ memory: SessionMemory) throws {
      _ = try memory.authorize(key, offer: offer, use: use, body: { _ in .empty }, clientNonce: { "c" })
    }
    try send(memory)
    #expect(memory.permanent[number]?.record.uses == 1)
    if isGone { memory.permanent.drop(number) } else { try send(memory) }
    // Another session has used it, too: what its copy here has counted does not matter.
    #expect(throws: CredentialUseFault.gone) { try send(memory) }
  }

  /// Consent to Basic over cleartext is of the session that gave it (storage.md 9.6.5).
  @Test mutating func aCopyWasNotGivenHereForItsSpace() throws {
    let number = try keep(Self.credential("joe"))
    try accept(number, Self.credential("joe"))
    #expect(held("joe")?.wasGivenForSpace == false)
  }

  @Test mutating func aDefaultOfTheSessionsOwnStaysWhateverTheAccountsIs() throws {
    enum First: CaseIterable { case own, ownWithoutDefault, copy }
    for first in First.allCases {
      var scene = Self()
      let joe = try scene.keep(Self.credential("joe"), isDefault: false)
      let ann = try scene.keep(Self.credential("ann"))
      if first != .copy {
        scene.memory.store(
          TaskScene.password("x", user: "eve"), for: space, isDefault: first == .own, owner: 1, now: 0)
        if first == .own { try scene.accept(joe, Self.credential("joe")) }
      }
      if first != .own {
        try scene.accept(ann, Self.credential("ann"))
        try scene.accept(joe, Self.credential("joe"))
        if first == .ownWithoutDefault { scene.memory.remove(CredentialKey(space: space, user: "ann")) }
      }
      var alteration = PermanentCredentials.Alteration()
      alteration.defaults = [joe: true, 99: true]
      _ = scene.memory.follow(alteration)
      #expect(scene.memory.defaultEntry(of: space)?.credential.user == (first == .own ? "eve" : "joe"))
      alteration.defaults = [joe: false]
      _ = scene.memory.follow(alteration)
      #expect(scene.memory.defaultEntry(of: space)?.credential.user == (first == .own ? "eve" : nil))
    }
  }

  /// Of a change of the account the holders are told once, and not where the session has one of its own.
  @Test mutating func holdersAreToldOnceOfWhatConcernsThem() throws {
    let joe = try keep(Self.credential("joe"))
    try accept(joe, Self.credential("joe"))
    memory.store(TaskScene.password("x", user: "eve"), for: space, owner: 1, now: 0)
    _ = memory.takeChanges()
    let keys = ["joe", "eve", "ann"].map { CredentialKey(space: space, user: $0) }
    var alteration = PermanentCredentials.Alteration()
    alteration.removed = [joe]
    alteration.changes = keys.map { ($0, .removed) }
    let told = memory.follow(alteration)
    #expect(told.map(\.key.user).sorted { $0 ?? "" < $1 ?? "" } == ["ann", "joe"])
    #expect(memory.count == 1 && held("eve") != nil)
  }

  // MARK: A reply that becomes a record (storage.md 9.6.7)

  @Test mutating func theUsesOfAReplyAreThoseOfItsRecord() throws {
    let number = try keep(Self.credential("joe"))
    let key = memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    memory.beginKeeping(generation: 1)
    memory.beginKeeping(generation: 1)
    _ = try memory.authorize(key, offer: offer, use: use(), body: { _ in .empty }, clientNonce: { "c" })
    memory.link(key, generation: 1, to: nil)
    #expect(memory.permanent[number]?.record.uses == 0 && held("joe")?.permanentNumber == nil)
    memory.link(key, generation: 1, to: number)
    #expect(memory.permanent[number]?.record.uses == 1)
    #expect(held("joe")?.permanentNumber == number)
    #expect(held("joe")?.credential.persistence == .permanent)
    #expect(memory.beingKept.isEmpty)
  }

  @Test(arguments: [false, true]) mutating func whatTookItsPlaceMeanwhileIsNotItsCopy(_ isRemoved: Bool)
    throws
  {
    let number = try keep(Self.credential("joe"))
    let key = memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    memory.beginKeeping(generation: 1)
    if isRemoved {
      _ = try memory.authorize(key, offer: offer, use: use(), body: { _ in .empty }, clientNonce: { "c" })
      memory.remove(key)
    }
    memory.store(TaskScene.password("new"), for: space, owner: 1, now: 0)
    for _ in 0..<3 {
      _ = try memory.authorize(key, offer: offer, use: use(), body: { _ in .empty }, clientNonce: { "c" })
    }
    memory.link(key, generation: 1, to: number)
    #expect(held("joe")?.permanentNumber == nil)
    #expect(memory.permanent[number]?.record.uses == (isRemoved ? 1 : 0))
  }

  // MARK: Paths (storage.md 9.9.7)

  /// A server that refuses the record of the whole space at a path with one of its own would end it.
  @Test(arguments: [false, true])
  mutating func aRecordOfAPathComesBeforeTheCopyOfTheWholeSpace(_ isOfAnyRealm: Bool) throws {
    let joe = try keep(Self.credential("joe"))
    let place = isOfAnyRealm ? space.ofAnyRealm : space
    let ann = try keep(Self.credential("ann", paths: ["/a"]), for: place)
    try accept(joe, Self.credential("joe"))
    memory.store(TaskScene.password("x", user: "eve"), for: space, isDefault: false, owner: 1, now: 0)
    var (below, beside) = (users(at: "/a/x"), users(at: "/b/x"))
    #expect(below == ["eve"] && beside == ["joe", "eve"])
    // Its own copy is not behind it.
    if isOfAnyRealm { return }
    try accept(ann, Self.credential("ann", paths: ["/a"]))
    (below, beside) = (users(at: "/a/x"), users(at: "/b/x"))
    #expect(below == ["ann", "eve"] && beside == ["joe", "eve"])
    let first = memory.firstCandidate(for: use("/a/x")) { $0.credential.user != "ann" }
    #expect(first?.user == "eve")
  }

  @Test mutating func theWaysOfCallersKeepARecordFromItsServer() throws {
    let number = try keep(Self.credential("joe"))
    let key = CredentialKey(space: space, user: "joe")
    var found = memory.permanentCandidates(for: use(), user: nil) { $0 == .basic }
    #expect(found.usable == key && found.passedOver == nil)
    found = memory.permanentCandidates(for: use(), user: nil) { $0 == .digest }
    #expect(found.usable == nil && found.passedOver == nil)
    var configuration = SessionConfiguration()
    configuration.tls.roots = "pem"
    memory.ways = CallersWays(configuration)
    found = memory.permanentCandidates(for: use(), user: nil) { $0 == .basic }
    #expect(found.usable == nil && found.passedOver == key)
    #expect(!memory.counts(number, for: use()) && !memory.counts(99, for: use()))
  }

  /// The copy for any realm that serves a realm, too.
  @Test(arguments: [false, true])
  mutating func theWaysOfCallersKeepACopyFromItsServer(_ isOfAnyRealm: Bool) throws {
    let place = isOfAnyRealm ? space.ofAnyRealm : space
    let number = try keep(Self.credential("joe"), for: place)
    memory.storeCopy(
      of: number, Self.credential("joe"), for: place,
      authenticator: try Authenticator(offer: offer, credential: Self.credential("joe")),
      scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url("/x"), digestDomain: []), now: 0)
    let key = CredentialKey(space: space, user: "joe")
    #expect(memory.counts(key, for: use()))
    var configuration = SessionConfiguration()
    configuration.tls.roots = "pem"
    memory.ways = CallersWays(configuration)
    #expect(!memory.counts(key, for: use()))
    #expect(memory.counts(CredentialKey(space: space, user: "eve"), for: use()))
  }
}
