import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Credentials that are kept for a path, beside those of the whole space (storage.md 9.4.8 and 9.9.7).
struct KeptForPathsTests {
  private var memory = SessionMemory()
  private static let (space, other) = (TaskScene.space("r"), TaskScene.space("s"))

  private func use(_ path: String = "/a/x", method: String = "GET", now: Double = 1) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: method, process: 1, now: now, wallClock: 1000 + now)
  }

  private mutating func store(
    _ user: String, _ path: String? = nil, in space: ProtectionSpace = Self.space, isDefault: Bool = true,
    _ change: (inout CredentialLimits) -> Void = { _ in }
  ) {
    var limits = CredentialLimits()
    if let path { limits.pathPrefixes = [path] }
    change(&limits)
    var credential = TaskScene.password("x", user: user, limits: limits)
    credential.isPreemptive = true
    memory.store(credential, for: space, isDefault: isDefault, owner: 1, now: 0)
  }

  private var held: [String] {
    memory.all.map { ($0.credential.user ?? "") + ($0.credential.path ?? "") }.sorted()
  }

  private mutating func firstSent(_ use: CredentialUse) -> String? {
    memory.preemptive(for: use, policy: MethodPolicy()).map { ($0.user ?? "") + ($0.path ?? "") }
  }

  @Test(
    arguments: [
      (.any, ["ann", "ann/a"]), (.whole, ["ann", "ann/a", "joe/a", "joe/b"]),
      (.only("/a"), ["ann", "ann/a", "joe", "joe/b"]),
      (.only("/c"), ["ann", "ann/a", "joe", "joe/a", "joe/b"]),
    ] as [(NamedPath, [String])])
  mutating func onlyWhatIsNamedIsRemoved(path: NamedPath, left: [String]) {
    for user in ["joe", "ann"] {
      store(user)
      store(user, "/a")
    }
    store("joe", "/b")
    let removed = memory.remove(space: Self.space, user: "joe", path)
    #expect(held == left && removed == 5 - left.count)
  }

  /// Whichever is removed first, the others of the space, of the path and of other spaces are found.
  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1], [1, 2, 0, 3], [0, 3, 1, 2]])
  mutating func aSpaceIsFoundAsLongAsAnythingIsKeptThere(order: [Int]) {
    store("joe")
    store("ann", "/a")
    store("eve", "/a", isDefault: false)
    store("kim", "/b", in: Self.other)
    store("joe", in: Self.other)
    memory.remove(CredentialKey(space: Self.other, user: "joe"))
    let users = ["joe", "ann", "eve", "kim"]
    let paths: [String?] = [nil, "/a", "/a", "/b"]
    var left = Set(users)
    for index in order {
      let space = index == 3 ? Self.other : Self.space
      memory.remove(CredentialKey(space: space, user: users[index], path: paths[index]))
      left.remove(users[index])
      let spaces = Set(memory.table.spaces(of: TaskScene.origin))
      #expect(spaces.contains(Self.space) == !left.isDisjoint(with: ["joe", "ann", "eve"]))
      #expect(spaces.contains(Self.other) == left.contains("kim"))
      let found = memory.candidates(for: Self.space, use: use()).compactMap(\.credential.user)
      #expect(Set(found) == left.subtracting(["kim"]))
      #expect(memory.table.hasPaths == !left.isDisjoint(with: ["ann", "eve", "kim"]))
    }
  }

  @Test mutating func oneOfTwoPathsOfASpaceStays() {
    store("joe", "/a")
    store("ann", "/a/b")
    let both = memory.candidates(for: Self.space, use: use("/a/b/c")).map(\.credential.user)
    #expect(both == ["ann", "joe"])
    memory.remove(CredentialKey(space: Self.space, user: "joe", path: "/a"))
    let one = memory.candidates(for: Self.space, use: use("/a/b/c")).map(\.credential.user)
    #expect(one == ["ann"])
  }

  @Test mutating func oneOfTwoUsersOfASpaceStays() {
    store("joe")
    store("ann")
    for (user, left) in [("joe", 1), ("joe", 1), ("ann", 0)] {
      memory.remove(CredentialKey(space: Self.space, user: user))
      #expect(memory.table.spaces(of: TaskScene.origin).count == left)
    }
  }

  /// The one of the whole space waits where one for the path goes when the server asks, and only there.
  @Test(
    arguments: [
      (true, [], "/a/x", "ann/a"), (true, [], "/b", "joe"), (false, [], "/a/x", "joe"),
      (true, ["PUT"], "/a/x", "joe"), (true, ["GET"], "/a/x", "ann/a"), (false, ["PUT"], "/a/x", "joe"),
    ] as [(Bool, [String], String, String)])
  mutating func theDefaultUserOfAPathGoesFirst(
    isDefault: Bool, methods: [String], path: String, expected: String
  ) {
    store("joe")
    store("ann", "/a", isDefault: isDefault) { $0.methods = methods }
    #expect(firstSent(use(path)) == expected)
  }

  @Test mutating func oneOfAnyRealmForThePathHidesTheOneOfTheWholeSpace() {
    store("joe")
    store("ann", "/a", in: Self.space.ofAnyRealm)
    #expect(firstSent(use("/b")) == "joe" && firstSent(use("/a/x")) == "ann/a")
    // Where the method is not allowed, it would not be sent.
    memory = SessionMemory()
    store("joe")
    store("ann", "/a", in: Self.space.ofAnyRealm) { $0.methods = ["PUT"] }
    #expect(firstSent(use("/a/x")) == "joe")
  }

  // MARK: What is passed over

  enum Case: CaseIterable {
    case default_, another, anotherByName, unknown, otherHop, otherMethod, allowed, over
  }

  /// The credential that only its limits keep from a request, which the explanation names (storage.md 9.5.2).
  @Test(arguments: Case.allCases) mutating func whatLimitsKeepBackIsNamed(_ one: Case) {
    store("joe", isDefault: one != .another && one != .anotherByName) {
      $0.methods = one == .allowed ? ["GET"] : ["PUT"]
      $0.lifetimeSeconds = 10
    }
    var use = use(now: one == .over ? 10 : 9)
    if one == .otherHop { use.proxyType = .http }
    let user: String? =
      switch one {
      case .anotherByName: "joe"
      case .unknown: "ann"
      default: nil
      }
    let key = memory.table.firstOutsideLimits(for: use, user: user) {
      $0 == (one == .otherMethod ? .digest : .basic)
    }
    #expect((key != nil) == (one == .default_ || one == .anotherByName))
  }
}
