import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Which of several credentials a request gets (storage.md 9.2 and 9.4), and what holders are told (9.6.10).
struct CredentialChoiceTests {
  private var memory = SessionMemory()
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
    memory.store(
      credential(isPreemptive: true) { $0.lifetimeSeconds = 10 }, for: TaskScene.space(), owner: 1, now: 0)
    let before = memory.preemptive(for: use(now: 9.9), policy: MethodPolicy())
    #expect(before != nil && memory.count == 1)
    let after = memory.preemptive(for: use(now: 10), policy: MethodPolicy())
    #expect(after == nil && memory.count == 0)
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
    memory.store(credential("wide"), for: space.ofAnyRealm, owner: 1, now: 0)
    memory.store(credential("own"), for: space, isDefault: isDefault, isFromURL: !isDefault, owner: 1, now: 0)
    var use = use()
    use.proxyType = isProxy ? .https : nil
    let found = memory.candidates(for: space, use: use).map(\.credential)
    #expect(found == passwords.map { credential($0) })
  }

  enum Fault: CaseIterable {
    case none, otherHop, over, otherMethod, otherWay, unsuitable
  }

  @Test(arguments: Fault.allCases) mutating func theFirstCandidateHasNoFault(_ fault: Fault) {
    let way = CallersWay(roots: "other")
    memory.store(
      credential {
        $0.lifetimeSeconds = 10
        $0.methods = ["GET"]
      }, for: TaskScene.space(), over: fault == .otherWay ? [way] : [], owner: 1, now: 0)
    var use = use(method: fault == .otherMethod ? "PUT" : "GET", now: fault == .over ? 10 : 9)
    if fault == .otherHop { use.proxyType = .https }
    if fault == .otherWay { use.route.host = NamedHost("b.example", at: TaskScene.origin) }
    let found = memory.firstCandidate(for: use) { _ in fault != .unsuitable }
    #expect((found != nil) == (fault == .none))
    // Only what time has ended is gone.
    #expect(memory.count == (fault == .over ? 0 : 1))
  }

  /// What only its way keeps from a request is named (storage.md 9.2.7).
  @Test(
    arguments: [("b.example", true, true), ("b.example", false, false), (nil, true, false)]
      as [(String?, Bool, Bool)])
  mutating func whatAnotherWayKeepsBackIsNamed(host: String?, isAllowed: Bool, isNamed: Bool) {
    memory.store(
      credential { $0.methods = isAllowed ? [] : ["PUT"] }, for: TaskScene.space(), owner: 1, now: 0)
    var use = use()
    use.route.host = NamedHost(host, at: TaskScene.origin)
    let key = memory.onAnotherWay(for: use, user: nil) { $0 == .basic }
    #expect((key != nil) == isNamed)
  }

  @Test mutating func theSameCredentialOverAnotherWayCountsOverBoth() throws {
    let way = CallersWay(host: try #require(NamedHost("b.example", at: TaskScene.origin)))
    let authenticator = try Authenticator(offer: offer, credential: credential())
    for ways in [[way], [], []] {
      memory.store(
        credential(), for: TaskScene.space(), authenticator: authenticator,
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url()), over: ways, owner: 1, now: 0)
    }
    for host in ["a.example", "b.example", "c.example"] {
      var use = use()
      use.route.host = NamedHost(host, at: TaskScene.origin)
      let found = memory.candidates(for: TaskScene.space(), use: use)
      #expect(found.count == (host == "c.example" ? 0 : 1))
    }
    #expect(memory.latestGeneration == 1)
    memory.removeAll()
    #expect(memory.byteCount == 0)
  }

  @Test mutating func aUseIsCountedUnlessTheSameRequestIsMadeAgain() throws {
    let key = memory.store(credential { $0.maximumUses = 2 }, for: TaskScene.space(), owner: 1, now: 0)
    let use = use()
    func send(_ memory: SessionMemory, isRepeated: Bool?) throws {
      if let isRepeated {
        _ = try memory.authorize(
          key, offer: offer, use: use, isRepeated: isRepeated, body: { _ in .empty }, clientNonce: { "c" })
      } else {
        _ = try memory.authorize(key, offer: offer, use: use, body: { _ in .empty }, clientNonce: { "c" })
      }
    }
    try send(memory, isRepeated: nil)
    try send(memory, isRepeated: true)
    try send(memory, isRepeated: false)
    try send(memory, isRepeated: true)
    #expect(memory.all.map(\.record.uses) == [2])
    #expect(throws: CredentialUseFault.gone) { try send(memory, isRepeated: nil) }
  }

  // MARK: Keys (storage.md 9.4.9)

  private mutating func key(_ text: String, paths: [String]) {
    var limits = CredentialLimits()
    limits.pathPrefixes = paths
    var key = Credential(.token(TaskScene.secret(text)), limits: limits)
    key.isPreemptive = true
    memory.store(key, for: ProtectionSpace(keyOf: TaskScene.origin, field: "X-Key"), owner: 1, now: 0)
  }

  @Test mutating func onlyAKeyGoesInAFieldOfItsOwn() {
    memory.store(credential(isPreemptive: true), for: TaskScene.space(), owner: 1, now: 0)
    let none = memory.keys(for: use(), MethodPolicy()) { _ in false }
    #expect(none.isEmpty)
    key("whole", paths: ["/a", "/b"])
    key("path", paths: ["/a"])
    for (path, kept) in [("/a/x", ["/a"]), ("/b/x", [nil]), ("/c", [])] as [(String, [String?])] {
      let found = memory.keys(for: use(path), MethodPolicy()) { _ in false }
      #expect(found.map(\.path) == kept)
    }
  }

  // MARK: Removing

  @Test mutating func whatIsNotThereIsNotRemovedAndNotMadeTheDefault() {
    let key = memory.store(credential(), for: TaskScene.space(), owner: 1, now: 0)
    let unknown = CredentialKey(space: TaskScene.space(), user: "ann")
    let changed = [
      memory.remove(unknown), memory.setDefault(unknown), memory.setDefault(key),
      memory.setDefault(user: "ann", in: TaskScene.space()),
    ]
    #expect(changed == [false, false, true, false])
    #expect(memory.takeChanges().map(\.change) == [.added])
  }

  /// Of as many changes as holders are told, the order is that of the origins.
  @Test(arguments: [SessionMemory.changesTold - 1, SessionMemory.changesTold])
  mutating func changesThatAreToldAreInOrder(count: Int) {
    let hosts = (0..<count).map { "h\(100 + $0).example" }
    for host in hosts.reversed() {
      let space = ProtectionSpace(
        origin: Origin(scheme: .https, host: host, port: 443), realm: "r", authenticationMethod: .basic)
      memory.store(credential(), for: space, owner: 1, now: 0)
    }
    _ = memory.takeChanges()
    let before = memory.revision
    memory.removeAll()
    #expect(memory.takeChanges().map(\.key.space.origin.host) == hosts)
    // What was found before is not the same any more.
    #expect(memory.revision != before)
    let after = memory.revision
    memory.removeAll()
    #expect(memory.revision == after && memory.takeChanges().isEmpty)
  }

  /// What was chosen holds as long as the number is the same.
  @Test func everyChangeOfEntriesIsANewStateOfTheMemory() {
    let memory = SessionMemory()
    let space = TaskScene.space()
    var seen = [memory.revision]
    let key = memory.store(TaskScene.password("x"), for: space, owner: 1, now: 0)
    seen.append(memory.revision)
    memory.store(TaskScene.password("y", user: "ann"), for: space, isDefault: false, owner: 1, now: 0)
    seen.append(memory.revision)
    _ = memory.setDefault(user: "ann", in: space)
    seen.append(memory.revision)
    memory.remove(key)
    seen.append(memory.revision)
    memory.removeAll()
    seen.append(memory.revision)
    #expect(Set(seen).count == seen.count)
  }
}
