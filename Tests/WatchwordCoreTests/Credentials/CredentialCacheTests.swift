import Testing
import WatchwordSecret

@testable import WatchwordCore

/// Challenges §7: where credentials live, who may use them and until when.
struct CredentialCacheTests {
  private var cache = CredentialCache()

  private func use(_ path: String = "/d/x", method: String = "GET", now: Double = 0) -> CredentialUse {
    CredentialUse(url: TaskScene.url(path), method: method, process: 1, now: now, wallClock: 1000 + now)
  }

  private mutating func store(_ change: (inout CredentialLimits) -> Void, user: String = "joe") {
    var limits = CredentialLimits()
    change(&limits)
    cache.store(
      TaskScene.password("x", user: user, limits: limits), for: TaskScene.space(), owner: 1, now: 0)
  }

  private mutating func candidates(_ use: CredentialUse) -> Int {
    cache.candidates(for: TaskScene.space(), use: use).count
  }

  @Test mutating func lifetimesEndOnListingAsWellAsOnUse() {
    store { $0.lifetimeSeconds = 10 }
    #expect(candidates(use(now: 9)) == 1)
    #expect(candidates(use(now: 10)) == 0)
    store { $0.notAfter = 1010 }
    cache.removeExpired(now: 9, wallClock: 1009)
    #expect(cache.count == 1)
    cache.removeExpired(now: 10, wallClock: 1010)
    #expect(cache.count == 0)
  }

  @Test mutating func idleTimeBeginsAnewWithEveryUse() throws {
    store { $0.idleSeconds = 10 }
    let key = CredentialCache.Key(space: TaskScene.space(), user: "joe")
    let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
    _ = try cache.authorize(
      key, offer: offer, use: use(now: 9), body: { _ in .empty }, clientNonce: { "c" })
    #expect(candidates(use(now: 18)) == 1)
    #expect(candidates(use(now: 19)) == 0)
  }

  @Test(arguments: [
    ("/pub", "/pub", true), ("/pub", "/pub/x", true), ("/pub", "/public", false), ("/pub/", "/pub", false),
    ("/pub", "/pub/%2e%2e/secret", false), ("/pub", "/pub/..%2fsecret", false), ("/pub", "/PUB/x", false),
  ])
  mutating func pathPrefixesHoldBySegmentsHoweverThePathIsRead(_ prefix: String, _ path: String, _ fits: Bool)
  {
    store { $0.pathPrefixes = [prefix] }
    #expect(candidates(use(path)) == (fits ? 1 : 0))
  }

  @Test mutating func methodsAreExact() {
    store { $0.methods = ["GET"] }
    #expect(candidates(use(method: "GET")) == 1)
    #expect(candidates(use(method: "POST")) == 0)
  }

  @Test mutating func anUnknownProcessHasToConfirmACredentialOfAnUnknownOwner() {
    var limits = CredentialLimits()
    limits.confirm = true
    cache.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: nil, now: 0)
    let use = CredentialUse(url: TaskScene.url(), method: "GET", process: nil, now: 0, wallClock: 0)
    #expect(cache.candidates(for: TaskScene.space(), use: use).allSatisfy { $0.needsConfirmation(for: use) })
  }

  @Test mutating func oneUserIsTheDefaultUntilItIsRefused() {
    store({ _ in }, user: "ann")
    store({ _ in }, user: "joe")
    #expect(cache.all.filter(\.isDefault).map(\.credential.user) == ["joe"])
    let joe = CredentialCache.Key(space: TaskScene.space(), user: "joe")
    cache.refused(joe, generation: cache.latestGeneration)
    #expect(cache.all.filter(\.isDefault).isEmpty)
    cache.setDefault(CredentialCache.Key(space: TaskScene.space(), user: "ann"))
    store({ _ in }, user: "joe")
    cache.remove(joe)
    #expect(cache.all.filter(\.isDefault).map(\.credential.user) == ["ann"])
  }

  @Test mutating func theSameCredentialAcceptedOnceMoreKeepsItsNonceAndItsGeneration() throws {
    let credential = TaskScene.password("x")
    let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
    let authenticator = try Authenticator(offer: offer, credential: credential)
    for path in ["/a/x", "/b/x"] {
      let scope = PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path))
      cache.store(
        credential, for: TaskScene.space(), authenticator: authenticator, scope: scope, owner: 1, now: 0)
    }
    #expect(cache.latestGeneration == 1 && cache.takeChanges().count == 1)
    for path in ["/a/y", "/b/y"] { #expect(cache.preemptive(for: use(path), policy: MethodPolicy()) != nil) }
    #expect(cache.preemptive(for: use("/c/y"), policy: MethodPolicy()) == nil)
  }

  @Test func theLeastRecentlyUsedGoesFirst() throws {
    var cache = CredentialCache(capacity: 2)
    let offer = Offer(authenticationMethod: .basic, realm: nil, parameters: [])
    for (time, realm) in ["one", "two"].enumerated() {
      cache.store(TaskScene.password("x"), for: TaskScene.space(realm), owner: 1, now: Double(time))
    }
    _ = try cache.authorize(
      CredentialCache.Key(space: TaskScene.space("one"), user: "joe"), offer: offer, use: use(now: 5),
      body: { _ in .empty }, clientNonce: { "c" })
    cache.store(TaskScene.password("x"), for: TaskScene.space("three"), owner: 1, now: 6)
    #expect(Set(cache.all.map(\.space.realm)) == ["one", "three"])
  }

  @Test mutating func theDeepestScopeWins() throws {
    let offer = Offer(authenticationMethod: .basic, realm: nil, parameters: [])
    for (realm, path) in [("shallow", "/a/x"), ("deep", "/a/b/x")] {
      let credential = TaskScene.password(realm)
      cache.store(
        credential, for: TaskScene.space(realm),
        authenticator: try Authenticator(offer: offer, credential: credential),
        scope: PreemptiveScope(method: .basic, acceptedAt: TaskScene.url(path)), owner: 1, now: 0)
    }
    #expect(cache.preemptive(for: use("/a/b/c/y"), policy: MethodPolicy())?.space.realm == "deep")
    #expect(cache.preemptive(for: use("/a/y"), policy: MethodPolicy())?.space.realm == "shallow")
  }
}
