import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Where credentials live, who may use them and until when (storage.md 9).
struct SessionMemoryTests {
  private var memory = SessionMemory()

  private func use(_ path: String = "/d/x", method: String = "GET", now: Double = 0) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: method, process: 1, now: now, wallClock: 1000 + now)
  }

  private mutating func store(
    _ change: (inout CredentialLimits) -> Void, user: String = "joe", now: Double = 0
  ) {
    var limits = CredentialLimits()
    change(&limits)
    memory.store(
      TaskScene.password("x", user: user, limits: limits), for: TaskScene.space(), owner: 1, now: now)
  }

  private mutating func candidates(_ use: CredentialUse) -> Int {
    memory.candidates(for: TaskScene.space(), use: use).count
  }

  @Test mutating func lifetimesEndOnListingAsWellAsOnUse() {
    store { $0.lifetimeSeconds = 10 }
    #expect(candidates(use(now: 9)) == 1)
    #expect(candidates(use(now: 10)) == 0)
    store { $0.notAfter = 1010 }
    memory.removeExpired(now: 9, wallClock: 1009)
    #expect(memory.count == 1)
    memory.removeExpired(now: 10, wallClock: 1010)
    #expect(memory.count == 0)
  }

  @Test mutating func idleTimeBeginsAgainWithEveryUse() throws {
    store { $0.idleSeconds = 10 }
    let key = CredentialKey(space: TaskScene.space(), user: "joe")
    let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
    _ = try memory.authorize(key, offer: offer, use: use(now: 9), body: { _ in .empty }, clientNonce: { "c" })
    #expect(candidates(use(now: 18)) == 1)
    #expect(candidates(use(now: 19)) == 0)
  }

  @Test(arguments: [
    ("/pub", "/pub", true), ("/pub", "/pub/x", true), ("/pub", "/public", false), ("/pub/", "/pub", false),
    ("/pub", "/pub/%2e%2e/secret", false), ("/pub", "/pub/..%2fsecret", false),
    ("/pub", "/pub/%252e%252e/secret", false), ("/pub", "/PUB/x", false),
  ])
  mutating func pathPrefixesHoldBySegmentsHoweverThePathIsRead(_ prefix: String, _ path: String, _ fits: Bool)
  {
    store { $0.pathPrefixes = [prefix] }
    #expect(candidates(use(path)) == (fits ? 1 : 0))
  }

  /// The least recently used one goes, and is looked for among all entries only once in a while.
  @Test mutating func roomIsMadeWithoutASearchForEach() throws {
    memory = SessionMemory(capacity: 256)
    var touched: [String: Double] = [:]
    for number in 0..<1000 {
      let now = Double(number)
      if touched.count == 256, let oldest = touched.min(by: { $0.value < $1.value }) {
        touched[oldest.key] = nil
      }
      store({ _ in }, user: "u\(number)", now: now)
      touched["u\(number)"] = now
      // One that would be among the next to go is used.
      guard number % 3 == 0, let user = touched.sorted(by: { $0.value < $1.value }).dropFirst(2).first?.key
      else { continue }
      let key = CredentialKey(space: TaskScene.space(), user: user)
      let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
      _ = try memory.authorize(
        key, offer: offer, use: use(now: now + 0.5), body: { _ in .empty }, clientNonce: { "c" })
      touched[user] = now + 0.5
    }
    #expect(Set(memory.keys.compactMap(\.user)) == Set(touched.keys))
    #expect(memory.table.searches < 100)
  }

  @Test mutating func methodsAreExact() {
    store { $0.methods = ["GET"] }
    #expect(candidates(use(method: "GET")) == 1)
    #expect(candidates(use(method: "POST")) == 0)
  }

  static let first = ProcessIdentifier(pid: 4711, startTime: 100)
  static let second = ProcessIdentifier(pid: 4711, startTime: 200)
  static let unknown = ProcessIdentifier(unknownBehind: PeerIdentifier(1))
  static let unknownToo = ProcessIdentifier(unknownBehind: PeerIdentifier(2))
  static let ended = ProcessIdentifier(unknownBehind: PeerIdentifier(3), pid: 4711)

  @Test(arguments: [
    (first, first, false), (first, second, true), (first, ended, true), (first, unknown, true),
    (unknown, unknown, false), (unknown, unknownToo, true), (unknown, first, true), (ended, ended, false),
    (first, nil, true), (nil, first, true), (nil, unknown, true), (nil, nil, true),
  ])
  mutating func onlyTheProcessThatGaveACredentialNeedsNoConfirmation(
    _ owner: ProcessIdentifier?, _ process: ProcessIdentifier?, _ needsConfirmation: Bool
  ) {
    var limits = CredentialLimits()
    limits.confirm = true
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: owner, now: 0)
    let use = CredentialUse(url: TaskScene.url(), method: "GET", process: process, now: 0, wallClock: 0)
    let found = memory.candidates(for: TaskScene.space(), use: use)
    #expect(found.map { $0.needsConfirmation(for: process) } == [needsConfirmation])
  }

  @Test mutating func noUserIsTheDefaultWhenNoneIsMeantToBe() {
    memory.store(TaskScene.password("x"), for: TaskScene.space(), isDefault: false, owner: 1, now: 0)
    #expect(memory.all.map(\.isDefault) == [false])
  }

  enum Ending: CaseIterable { case refused, removed, expired, evicted }

  @Test(arguments: Ending.allCases)
  mutating func aDefaultThatGoesLeavesNone(_ ending: Ending) {
    memory = SessionMemory(capacity: 2)
    store({ $0.idleSeconds = 5 }, user: "joe")
    memory.store(
      TaskScene.password("x", user: "ann"), for: TaskScene.space(), isDefault: false, owner: 1, now: 1)
    #expect(memory.all.filter(\.isDefault).map(\.credential.user) == ["joe"])
    let joe = CredentialKey(space: TaskScene.space(), user: "joe")
    switch ending {
    case .refused: memory.refused(joe, generation: 1)
    case .removed: memory.remove(joe)
    case .expired: memory.removeExpired(now: 6, wallClock: 0)
    case .evicted: memory.store(TaskScene.password("x"), for: TaskScene.space("other"), owner: 1, now: 2)
    }
    let left = memory.all.filter { $0.space == TaskScene.space() }
    #expect(left.map(\.credential.user) == ["ann"] && !left.contains(where: \.isDefault))
    memory.store(
      TaskScene.password("y", user: "ann"), for: TaskScene.space(), isDefault: false, owner: 1, now: 3)
    #expect(!memory.all.contains { $0.isDefault && $0.space == TaskScene.space() })
    let isChosen = memory.setDefault(user: "ann", in: TaskScene.space())
    #expect(isChosen && memory.all.contains { $0.isDefault && $0.space == TaskScene.space() })
  }

  /// As many users as there may be: takes minutes where a change looks at all of them.
  @Test(.timeLimit(.minutes(1))) mutating func manyUsersOfASpaceCostNoMoreThanOne() {
    let users = (0..<SessionMemory.capacity).map { "u\($0)" }
    let credential = TaskScene.password("x")
    for user in users {
      let own = Credential(.password(user: user, password: TaskScene.secret("x")), limits: credential.limits)
      memory.store(own, for: TaskScene.space(), owner: 1, now: 0)
    }
    #expect(memory.count == users.count)
    #expect(memory.all.filter(\.isDefault).map(\.credential.user) == [users.last])
    for user in users {
      let isChosen = memory.setDefault(user: user, in: TaskScene.space())
      #expect(isChosen)
    }
    let first = memory.candidates(for: TaskScene.space(), use: use()).first
    #expect(first?.credential.user == users.last && first?.isDefault == true)
    for (left, user) in users.enumerated().reversed() {
      let removed = memory.remove(space: TaskScene.space(), user: user)
      #expect(removed == 1 && memory.count == left)
    }
  }

  @Test(.timeLimit(.minutes(1))) mutating func manyRealmsOfAnOriginCostNoMoreThanOne() {
    let spaces = (0..<SessionMemory.capacity).map { TaskScene.space("r\($0)") }
    for space in spaces { memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0) }
    for (left, space) in spaces.enumerated().reversed() {
      let removed = memory.remove(space: space, user: nil)
      #expect(removed == 1 && memory.count == left)
    }
  }

  @Test mutating func onlyOneIsTheDefaultWhateverIsRemoved() {
    let users = ["a", "b", "c", "d"]
    for user in users {
      memory.store(TaskScene.password("x", user: user), for: TaskScene.space(), owner: 1, now: 0)
    }
    for (chosen, gone) in [("b", "d"), ("c", "b"), ("a", "c")] {
      _ = memory.setDefault(user: chosen, in: TaskScene.space())
      _ = memory.remove(space: TaskScene.space(), user: gone)
      #expect(memory.all.filter(\.isDefault).map(\.credential.user) == [chosen])
      #expect(memory.candidates(for: TaskScene.space(), use: use()).first?.credential.user == chosen)
    }
  }

  @Test mutating func itsBytesAreCountedAsLongAsItIsThere() {
    let space = TaskScene.space("realm")
    store({ ($0.pathPrefixes, $0.methods) = (["/pub", "/x"], ["GET"]) }, user: "joe")
    let bytes = "joe".utf8.count + "x".utf8.count + "/pub/xGET".utf8.count + "r".utf8.count
    #expect(memory.byteCount == bytes)
    let token = Credential(.token(TaskScene.secret("token")))
    #expect(memory.growth(storing: token, for: [space, anyRealm]) == 15)
    for space in [space, anyRealm] { memory.store(token, for: space, owner: 1, now: 0) }
    #expect(memory.byteCount == bytes + 15)
    let shorter = Credential(.token(TaskScene.secret("t")))
    #expect(memory.growth(storing: shorter, for: [space]) == -4)
    memory.store(shorter, for: space, owner: 1, now: 0)
    #expect(memory.byteCount == bytes + 11)
    let key = CredentialKey(space: space, user: nil)
    memory.remove(key)
    #expect(memory.byteCount == bytes + 5)
    memory.removeAll()
    #expect(memory.byteCount == 0)
  }

  // MARK: Any realm

  private let anyRealm = TaskScene.space().ofAnyRealm

  @Test mutating func ofAnyRealmServesEveryRealmOfItsHopAndMethodOnly() {
    memory.store(TaskScene.password("x"), for: anyRealm, owner: 1, now: 0)
    let none = ProtectionSpace(origin: TaskScene.origin, realm: nil, authenticationMethod: .basic)
    for space in [TaskScene.space("r"), TaskScene.space("s"), none] {
      let found = memory.candidates(for: space, use: use())
      #expect(found.map(\.credential.user) == ["joe"])
    }
    let elsewhere = ProtectionSpace(
      origin: Origin(scheme: .https, host: "b.example", port: 443), realm: "r", authenticationMethod: .basic)
    let proxy = ProtectionSpace(
      origin: TaskScene.origin, realm: "r", authenticationMethod: .basic, proxyType: .https)
    for space in [TaskScene.space("r", .digest), elsewhere, proxy] {
      let found = memory.candidates(for: space, use: use())
      #expect(found.isEmpty)
    }
    #expect(none != anyRealm)
  }

  @Test mutating func acceptanceBindsItToTheRealmAndLaterAnswersFindItThere() {
    memory.store(TaskScene.password("x"), for: anyRealm, owner: 1, now: 0)
    let key = CredentialKey(space: TaskScene.space("r"), user: "joe")
    _ = memory.takeChanges()
    for path in ["/a/x", "/b/x"] {
      let scope = PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path))
      memory.accepted(key, generation: 1, scope: scope)
    }
    #expect(memory.all.map(\.space) == [TaskScene.space("r")])
    #expect(memory.entry(key)?.isDefault == true)
    #expect(memory.entry(key)?.scopes.count == 2)
    #expect(memory.changes.map(\.change) == [.removed, .added])
    let elsewhere = memory.candidates(for: TaskScene.space("s"), use: use())
    #expect(elsewhere.isEmpty)
    // Another realm's word on it comes too late.
    memory.refused(CredentialKey(space: TaskScene.space("s"), user: "joe"), generation: 1)
    #expect(memory.count == 1)
    memory.refused(key, generation: 1)
    #expect(memory.count == 0)
  }

  @Test mutating func aRealmsOwnCredentialAndDefaultComeFirst() {
    memory.store(TaskScene.password("own"), for: TaskScene.space("r"), owner: 1, now: 0)
    memory.store(TaskScene.password("wide"), for: anyRealm, owner: 1, now: 0)
    memory.store(TaskScene.password("ann", user: "ann"), for: anyRealm, owner: 1, now: 0)
    let found = memory.candidates(for: TaskScene.space("r"), use: use())
    #expect(found.map(\.credential) == [TaskScene.password("own"), TaskScene.password("ann", user: "ann")])
    let ann = CredentialKey(space: TaskScene.space("r"), user: "ann")
    memory.accepted(
      ann, generation: memory.latestGeneration,
      scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url()))
    #expect(memory.entry(ann)?.space.realm == "r" && memory.entry(ann)?.isDefault == false)
    let ahead = memory.preemptive(for: use(), policy: MethodPolicy())
    #expect(ahead == nil)
  }

  @Test mutating func withoutARealmEveryRealmIsNamed() {
    for space in [TaskScene.space("r"), TaskScene.space("s"), anyRealm, TaskScene.space("r", .digest)] {
      memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    }
    let removed = ["ann", "joe"].map { memory.remove(space: anyRealm, user: $0) }
    #expect(removed == [0, 3])
    #expect(memory.all.map(\.space) == [TaskScene.space("r", .digest)])
  }

  @Test mutating func theSameCredentialAcceptedOnceMoreKeepsItsNonceAndItsGeneration() throws {
    let credential = TaskScene.password("x")
    let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
    let authenticator = try Authenticator(offer: offer, credential: credential)
    for path in ["/a/x", "/b/x"] {
      let scope = PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path))
      memory.store(
        credential, for: TaskScene.space(), authenticator: authenticator, scope: scope, owner: 1, now: 0)
    }
    #expect(memory.latestGeneration == 1 && memory.takeChanges().count == 1)
    for path in ["/a/y", "/b/y"] { #expect(memory.preemptive(for: use(path), policy: MethodPolicy()) != nil) }
    #expect(memory.preemptive(for: use("/c/y"), policy: MethodPolicy()) == nil)
  }

  @Test func theLeastRecentlyUsedGoesFirst() throws {
    let memory = SessionMemory(capacity: 2)
    let offer = Offer(authenticationMethod: .basic, realm: nil, parameters: [])
    for (time, realm) in ["one", "two"].enumerated() {
      memory.store(TaskScene.password("x"), for: TaskScene.space(realm), owner: 1, now: Double(time))
    }
    _ = try memory.authorize(
      CredentialKey(space: TaskScene.space("one"), user: "joe"), offer: offer, use: use(now: 5),
      body: { _ in .empty }, clientNonce: { "c" })
    memory.store(TaskScene.password("x"), for: TaskScene.space("three"), owner: 1, now: 6)
    #expect(Set(memory.all.map(\.space.realm)) == ["one", "three"])
  }

  @Test mutating func theDeepestScopeWins() throws {
    let offer = Offer(authenticationMethod: .basic, realm: nil, parameters: [])
    for (realm, path) in [("shallow", "/a/x"), ("deep", "/a/b/x")] {
      let credential = TaskScene.password(realm)
      memory.store(
        credential, for: TaskScene.space(realm),
        authenticator: try Authenticator(offer: offer, credential: credential),
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), owner: 1, now: 0)
    }
    #expect(memory.preemptive(for: use("/a/b/c/y"), policy: MethodPolicy())?.space.realm == "deep")
    #expect(memory.preemptive(for: use("/a/y"), policy: MethodPolicy())?.space.realm == "shallow")
  }
}
