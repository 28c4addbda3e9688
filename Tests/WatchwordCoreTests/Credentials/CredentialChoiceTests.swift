import Testing
import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Which of several credentials a request gets (storage.md 9.2 and 9.4), and what holders are told (9.6.10).
struct CredentialChoiceTests {
  private var cache = CredentialCache()
  private let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])

  private func use(_ path: String = "/d/x", method: String = "GET", now: Double = 1) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: method, process: 1, now: now, wallClock: 1000 + now)
  }

  private func credential(
    _ password: String = "x", user: String = "joe", isPreemptive: Bool = false,
    _ change: (inout CredentialLimits) -> Void = { _ in }
  ) -> Credential {
    var limits = CredentialLimits()
    change(&limits)
    var credential = TaskScene.password(password, user: user, limits: limits)
    credential.isPreemptive = isPreemptive
    return credential
  }

  @Test mutating func whatIsOverIsRemovedWhereItWouldGoFirst() {
    cache.store(
      credential(isPreemptive: true) { $0.lifetimeSeconds = 10 }, for: TaskScene.space(), owner: 1, now: 0)
    let before = cache.preemptive(for: use(now: 9.9), policy: MethodPolicy())
    #expect(before != nil && cache.count == 1)
    let after = cache.preemptive(for: use(now: 10), policy: MethodPolicy())
    #expect(after == nil && cache.count == 0)
  }

  /// That of a proxy's URL is for those who name it, and hides none (methods.md 15.7).
  @Test(
    arguments: [
      (true, false, ["own", "wide"]), (true, true, ["own"]), (false, false, ["own"]), (false, true, ["own"]),
    ])
  mutating func ofOneUserThatOfTheRealmHidesThatOfAnyRealm(
    isProxy: Bool, isDefault: Bool, passwords: [String]
  ) {
    let space = ProtectionSpace(
      origin: TaskScene.origin, realm: "r", authenticationMethod: .basic, proxyType: isProxy ? .https : nil)
    cache.store(credential("wide"), for: space.ofAnyRealm, owner: 1, now: 0)
    cache.store(credential("own"), for: space, isDefault: isDefault, isFromURL: !isDefault, owner: 1, now: 0)
    var use = use()
    use.proxyType = isProxy ? .https : nil
    let found = cache.candidates(for: space, use: use).map(\.credential)
    #expect(found == passwords.map { credential($0) })
  }

  enum Fault: CaseIterable {
    case none, otherHop, over, otherMethod, otherWay, unsuitable
  }

  @Test(arguments: Fault.allCases) mutating func theFirstCandidateHasNoFault(_ fault: Fault) {
    let way = CallersWay(roots: "other")
    cache.store(
      credential {
        $0.lifetimeSeconds = 10
        $0.methods = ["GET"]
      }, for: TaskScene.space(), over: fault == .otherWay ? [way] : [], owner: 1, now: 0)
    var use = use(method: fault == .otherMethod ? "PUT" : "GET", now: fault == .over ? 10 : 9)
    if fault == .otherHop { use.proxyType = .https }
    if fault == .otherWay { use.route.host = NamedHost("b.example", at: TaskScene.origin) }
    let found = cache.firstCandidate(for: use) { _ in fault != .unsuitable }
    #expect((found != nil) == (fault == .none))
    // Only what time has ended is gone.
    #expect(cache.count == (fault == .over ? 0 : 1))
  }

  /// What only its way keeps from a request is named (storage.md 9.2.7).
  @Test(
    arguments: [("b.example", true, true), ("b.example", false, false), (nil, true, false)]
      as [(String?, Bool, Bool)])
  mutating func whatAnotherWayKeepsBackIsNamed(host: String?, isAllowed: Bool, isNamed: Bool) {
    cache.store(
      credential { $0.methods = isAllowed ? [] : ["PUT"] }, for: TaskScene.space(), owner: 1, now: 0)
    var use = use()
    use.route.host = NamedHost(host, at: TaskScene.origin)
    let key = cache.onAnotherWay(for: use, user: nil) { $0 == .basic }
    #expect((key != nil) == isNamed)
  }

  @Test mutating func theSameCredentialOverAnotherWayCountsOverBoth() throws {
    let way = CallersWay(host: try #require(NamedHost("b.example", at: TaskScene.origin)))
    let authenticator = try Authenticator(offer: offer, credential: credential())
    for ways in [[way], [], []] {
      cache.store(
        credential(), for: TaskScene.space(), authenticator: authenticator,
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url()), over: ways, owner: 1, now: 0)
    }
    for host in ["a.example", "b.example", "c.example"] {
      var use = use()
      use.route.host = NamedHost(host, at: TaskScene.origin)
      let found = cache.candidates(for: TaskScene.space(), use: use)
      #expect(found.count == (host == "c.example" ? 0 : 1))
    }
    #expect(cache.latestGeneration == 1)
    cache.removeAll()
    #expect(cache.byteCount == 0)
  }

  @Test mutating func aUseIsCountedUnlessTheSameRequestIsMadeAgain() throws {
    let key = cache.store(credential { $0.maximumUses = 2 }, for: TaskScene.space(), owner: 1, now: 0)
    let use = use()
    func send(_ cache: inout CredentialCache, isRepeated: Bool?) throws {
      if let isRepeated {
        _ = try cache.authorize(
          key, offer: offer, use: use, isRepeated: isRepeated, body: { _ in .empty }, clientNonce: { "c" })
      } else {
        _ = try cache.authorize(key, offer: offer, use: use, body: { _ in .empty }, clientNonce: { "c" })
      }
    }
    try send(&cache, isRepeated: nil)
    try send(&cache, isRepeated: true)
    try send(&cache, isRepeated: false)
    try send(&cache, isRepeated: true)
    #expect(cache.all.map(\.record.uses) == [2])
    #expect(throws: CredentialCache.UseFault.gone) { try send(&cache, isRepeated: nil) }
  }

  // MARK: Keys (storage.md 9.4.9)

  private mutating func key(_ text: String, paths: [String]) {
    var limits = CredentialLimits()
    limits.pathPrefixes = paths
    var key = Credential(.token(TaskScene.secret(text)), limits: limits)
    key.isPreemptive = true
    cache.store(key, for: ProtectionSpace(keyOf: TaskScene.origin, field: "X-Key"), owner: 1, now: 0)
  }

  @Test mutating func onlyAKeyGoesInAFieldOfItsOwn() {
    cache.store(credential(isPreemptive: true), for: TaskScene.space(), owner: 1, now: 0)
    let none = cache.keys(for: use(), MethodPolicy()) { _ in false }
    #expect(none.isEmpty)
    key("whole", paths: ["/a", "/b"])
    key("path", paths: ["/a"])
    for (path, kept) in [("/a/x", ["/a"]), ("/b/x", [nil]), ("/c", [])] as [(String, [String?])] {
      let found = cache.keys(for: use(path), MethodPolicy()) { _ in false }
      #expect(found.map(\.path) == kept)
    }
  }

  // MARK: Removing

  @Test mutating func whatIsNotThereIsNotRemovedAndNotMadeTheDefault() {
    let key = cache.store(credential(), for: TaskScene.space(), owner: 1, now: 0)
    let unknown = CredentialCache.Key(space: TaskScene.space(), user: "ann")
    let changed = [
      cache.remove(unknown), cache.setDefault(unknown), cache.setDefault(key),
      cache.setDefault(user: "ann", in: TaskScene.space()),
    ]
    #expect(changed == [false, false, true, false])
    #expect(cache.takeChanges().map(\.change) == [.added])
  }

  /// Of as many changes as holders are told, the order is that of the origins.
  @Test(arguments: [CredentialCache.changesTold - 1, CredentialCache.changesTold])
  mutating func changesThatAreToldAreInOrder(count: Int) {
    let hosts = (0..<count).map { "h\(100 + $0).example" }
    for host in hosts.reversed() {
      let space = ProtectionSpace(
        origin: Origin(scheme: .https, host: host, port: 443), realm: "r", authenticationMethod: .basic)
      cache.store(credential(), for: space, owner: 1, now: 0)
    }
    _ = cache.takeChanges()
    let before = cache.revision
    cache.removeAll()
    #expect(cache.takeChanges().map(\.key.space.origin.host) == hosts)
    // What was found before is not the same any more.
    #expect(cache.revision != before)
    let after = cache.revision
    cache.removeAll()
    #expect(cache.revision == after && cache.takeChanges().isEmpty)
  }

  /// What was chosen holds as long as the number is the same.
  @Test func everyChangeOfEntriesIsANewStateOfTheCache() {
    var cache = CredentialCache()
    let space = TaskScene.space()
    var seen = [cache.revision]
    let key = cache.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    seen.append(cache.revision)
    cache.store(TaskScene.password("y", user: "ann"), for: space, isDefault: false, owner: 1, now: 0)
    seen.append(cache.revision)
    _ = cache.setDefault(user: "ann", in: space)
    seen.append(cache.revision)
    cache.remove(key)
    seen.append(cache.revision)
    cache.removeAll()
    seen.append(cache.revision)
    #expect(Set(seen).count == seen.count)
  }
}
