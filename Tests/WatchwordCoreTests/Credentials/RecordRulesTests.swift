import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Which records of the account serve a request, and what is written of a change (storage.md 9.6).
struct RecordRulesTests {
  private var permanent = PermanentCredentials()
  private let space = TaskScene.space()
  private let first = CallersWay(roots: "1")
  private let second = CallersWay(roots: "2")

  private func use(_ path: String = "/a/x", method: String = "GET", now: Double = 1) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: method, process: 1, now: now, wallClock: 1000 + now)
  }

  private static func credential(
    _ user: String = "joe", _ password: String = "x", path: String? = nil,
    persistence: Persistence = .permanent,
    _ change: (inout CredentialLimits) -> Void = { _ in }
  ) -> Credential {
    var limits = CredentialLimits()
    if let path { limits.pathPrefixes = [path] }
    change(&limits)
    var credential = TaskScene.password(password, user: user, persistence, limits: limits)
    credential.isPreemptive = path != nil
    return credential
  }

  @discardableResult
  private mutating func change(_ change: PermanentCredentials.Change) throws -> PermanentCredentials.Plan {
    let plan = try permanent.plan(change, now: 0)
    _ = permanent.apply(plan)
    return plan
  }

  @discardableResult
  private mutating func keep(
    _ credential: Credential, for space: ProtectionSpace = TaskScene.space(), isDefault: Bool = true,
    over ways: [CallersWay] = []
  ) throws -> PermanentCredentials.Plan {
    try change(.store(credential, for: [space], isDefault: isDefault, over: ways))
  }

  enum Fault: CaseIterable { case none, waits, another, method, way, over, hop }

  /// What goes with the first request, before a server has judged it (storage.md 9.4.6).
  @Test(arguments: Fault.allCases) mutating func aRecordThatGoesFirstHasNoFault(_ fault: Fault) throws {
    var credential = Self.credential {
      $0.methods = ["GET"]
      $0.lifetimeSeconds = 10
    }
    credential.isPreemptive = fault != .waits
    try keep(credential, isDefault: fault != .another, over: [first])
    var use = use(method: fault == .method ? "PUT" : "GET", now: fault == .over ? 10 : 9)
    if fault == .hop { use.proxyType = .https }
    let found = permanent.preemptive(for: use, over: [fault == .way ? second : first])
    #expect(found.map(\.credential.user) == (fault == .none ? ["joe"] : []))
    #expect(permanent.hasPreemptive == (fault != .waits))
  }

  @Test(
    arguments: [
      ("/a/x", nil, "ann/a"), ("/a/x", "joe", "joe/a"), ("/a/x", "kim", "kim"), ("/b", nil, "joe"),
      ("/b", "ann", nil),
    ] as [(String, String?, String?)])
  mutating func theUsersRecordOfThePathComesFirst(path: String, user: String?, found: String?) throws {
    try keep(Self.credential())
    try keep(Self.credential(path: "/a"), isDefault: false)
    try keep(Self.credential("ann", path: "/a"))
    try keep(Self.credential("kim"), isDefault: false)
    for ways in [[], nil] as [[CallersWay]?] {
      let entry = permanent.candidate(for: space, user: user, use: use(path), over: ways)
      #expect(entry.map { ($0.credential.user ?? "") + ($0.credential.path ?? "") } == found)
    }
  }

  @Test(arguments: [(nil, "joe"), (.https, "proxy"), (.http, nil)] as [(ProxyType?, String?)])
  mutating func theFirstRecordIsOneOfTheHop(proxyType: ProxyType?, user: String?) throws {
    let proxy = ProtectionSpace(
      origin: TaskScene.origin, realm: "r", authenticationMethod: .basic, proxyType: .https)
    try keep(Self.credential("proxy"), for: proxy)
    try keep(Self.credential())
    var use = use()
    use.proxyType = proxyType
    let key = permanent.firstCandidate(for: use, user: nil, over: []) { $0 == .basic }
    #expect(key?.user == user)
    let other = permanent.firstCandidate(for: use, user: nil, over: []) { $0 == .digest }
    #expect(other == nil)
  }

  // MARK: Ways (storage.md 9.6.12)

  /// The same one counts over the ways of each giving; another password only over its own.
  @Test(arguments: [false, true]) mutating func theWaysOfOneCredentialAreJoined(_ isImported: Bool) throws {
    for (password, limits) in [("x", false), ("x", true), ("y", false), ("y", true)] {
      var scene = self
      try scene.keep(Self.credential(), over: [first])
      let given = Self.credential("joe", password) { $0.maximumUses = limits ? 5 : nil }
      if isImported {
        let record = UseRecord(limits: given.limits, created: -1, ways: GivenWays([second]))
        try scene.change(
          .merge([ImportedCredential(space: space, credential: given, isDefault: false, record: record)]))
      } else {
        try scene.keep(given, over: [second])
      }
      let ways = scene.permanent.all.map(\.record.ways.all)
      // An import that was given earlier changes nothing else.
      #expect(ways == [password == "x" ? [first, second] : isImported ? [first] : [second]])
    }
  }

  @Test mutating func whatIsSaidAlreadyIsNotWritten() throws {
    try keep(Self.credential(), over: [first])
    let written = try [
      keep(Self.credential(), over: [first]), keep(Self.credential(), isDefault: false, over: [first]),
      keep(Self.credential(), over: [second]), keep(Self.credential(), over: [first]),
    ].map { $0.added.count + $0.updated.count + $0.removed.count }
    #expect(written == [0, 0, 1, 0])
  }

  @Test func anAlterationIsSilentWhenItSaysNothing() {
    var alteration = PermanentCredentials.Alteration()
    #expect(alteration.isSilent)
    alteration.removed = [1]
    #expect(!alteration.isSilent)
    alteration = PermanentCredentials.Alteration()
    alteration.defaults = [1: false]
    #expect(!alteration.isSilent)
    alteration = PermanentCredentials.Alteration()
    alteration.changes = [(CredentialKey(space: space, user: "joe"), .added)]
    #expect(!alteration.isSilent)
  }

  // MARK: Defaults (storage.md 9.3.2)

  @Test mutating func onlyOneOfASpaceIsTheDefaultAfterEachChange() throws {
    for user in ["a", "b", "c"] { try keep(Self.credential(user)) }
    func defaults(_ permanent: PermanentCredentials) -> [String?] {
      permanent.all.filter(\.isDefault).map(\.credential.user)
    }
    #expect(defaults(permanent) == ["c"])
    for user in ["a", "b"] {
      try change(.setDefault(user: user, in: [space]))
      #expect(defaults(permanent) == [user])
      #expect(defaults(PermanentCredentials(permanent.all.reversed())) == [user])
    }
  }

  /// The realm that a server binds a record to keeps the default that it has (storage.md 9.6.5).
  @Test(arguments: [false, true], [false, true])
  mutating func aRecordIsTheDefaultOfItsRealmIfItWasAndThereIsNone(_ wasDefault: Bool, _ hasDefault: Bool)
    throws
  {
    try keep(Self.credential("ann"), isDefault: hasDefault)
    try keep(Self.credential(), for: space.ofAnyRealm, isDefault: wasDefault)
    try change(.bind(2, to: space))
    #expect(permanent.all.map(\.space) == [space, space])
    #expect(permanent.all.map(\.isDefault) == [hasDefault, wasDefault && !hasDefault])
    // The first realm binds it.
    try change(.bind(2, to: TaskScene.space("s")))
    #expect(permanent.all.map(\.space) == [space, space])
  }

  // MARK: What the fleet is told (storage.md 9.12.7)

  enum Ending: CaseIterable { case refused, usedUp, time, timeOnListing, refusedAndGivenAgain }

  @Test(arguments: Ending.allCases) mutating func whatTimeEndsNeedsNoRemoval(_ ending: Ending) throws {
    try keep(
      Self.credential(persistence: .synchronizable) {
        $0.lifetimeSeconds = 10
        $0.maximumUses = 1
      })
    switch ending {
    case .refused, .refusedAndGivenAgain: permanent.drop(1)
    case .usedUp:
      permanent.noteUse(1, now: 1)
      #expect(permanent.candidate(for: space, user: nil, use: use(), over: []) == nil)
    case .time: #expect(permanent.candidate(for: space, user: nil, use: use(now: 10), over: []) == nil)
    case .timeOnListing: permanent.dropExpired(now: 10, wallClock: 1010)
    }
    #expect(permanent.takeRequests() == [.drop(1)] && permanent.count == 0)
    if ending == .refusedAndGivenAgain { try keep(Self.credential(persistence: .synchronizable)) }
    let plan = try permanent.plan(.drop(1), now: 11)
    #expect(plan.removed == [1])
    #expect(plan.added.map(\.isRemoval) == (ending == .refused || ending == .usedUp ? [true] : []))
  }

  /// The names of a fleet's records have no path: the one that was kept for the path goes.
  @Test(arguments: [Persistence.permanent, .synchronizable])
  mutating func aSynchronizableOneTakesThePlaceOfTheOneForItsPath(_ persistence: Persistence) throws {
    try keep(Self.credential(path: "/a"))
    try keep(Self.credential("joe", "y", path: "/a", persistence: persistence))
    #expect(permanent.all.map(\.credential.kind) == [Self.credential("joe", "y").kind])
    #expect(permanent.all.map(\.credential.path) == [persistence == .permanent ? "/a" : nil])
    #expect(permanent.count == 1)
  }

  /// Only the reply to a challenge of the session itself is consent to Basic over cleartext.
  @Test mutating func noRecordWasGivenForItsSpace() throws {
    try keep(Self.credential())
    let imported = ImportedCredential(
      space: space, credential: Self.credential("ann"), isDefault: false, record: UseRecord(created: 1))
    try change(.merge([imported]))
    let state = FleetCredential(
      key: CredentialKey(space: space, user: "kim"), version: 1, revision: 1,
      .credential(
        ImportedCredential(
          space: space, credential: Self.credential("kim", persistence: .synchronizable), isDefault: false,
          record: UseRecord(created: 1))))
    try change(.adopt([state]))
    #expect(permanent.all.map(\.credential.user) == ["joe", "ann", "kim"])
    #expect(permanent.all.allSatisfy { !$0.wasGivenForSpace })
  }
}
