import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// How many cookies are kept and sent, and which one goes first (RFC 6265bis, messages.md 10).
struct CookieBoundsTests {
  private func store(_ policy: SessionConfiguration.Cookies = .accept) -> CookieStore {
    CookieStore(policy: policy) { domain, _ in domain != "example" }
  }

  private func url(_ host: String, _ path: String = "/", _ scheme: WebScheme = .https) -> RequestURL {
    RequestURL(
      origin: Origin(scheme: scheme, host: host, port: scheme.defaultPort), path: path, query: nil)
  }

  private func cookie(
    _ name: String, _ value: String = "v", _ domain: String = "a.example", expires: Int64? = nil,
    includesSubdomains: Bool = false, isSecure: Bool = false, path: String = "/"
  ) -> Cookie {
    Cookie(
      name: name, value: value, domain: domain, includesSubdomains: includesSubdomains, path: path,
      expires: expires, isSecure: isSecure, isHTTPOnly: false)
  }

  private func receive(_ store: inout CookieStore, _ field: String, from url: RequestURL, now: Int64 = 100) {
    Array(field.utf8).withUnsafeBytes { store.receive([$0], from: url, now: now) }
  }

  private func add(_ store: inout CookieStore, _ cookie: Cookie, now: Int64 = 100) -> CookieStore.Refusal? {
    store.set(cookie, now: now)
  }

  private func sent(_ store: CookieStore, to url: RequestURL) -> String? {
    var copy = store
    return copy.field(for: url, now: 100).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [(4081, 2), (4082, 1)]) func aFieldHasALongestLength(last: Int, count: Int) {
    var store = store()
    for (name, value) in [("a", 4094), ("b", last)] {
      receive(
        &store, "\(name)=\(String(repeating: "v", count: value + (name == "a" ? 1 : 0)))",
        from: url("a.example"))
    }
    let field = sent(store, to: url("a.example"))
    #expect(field?.split(separator: "; ").count == count)
    #expect("Cookie: \(field ?? "")".utf8.count <= CookieLimits.fieldBytes)
  }

  // MARK: Eviction

  @Test func aSessionHasOnlySoManyCookies() {
    var store = store()
    func fill(_ count: Int, expiring: Int) {
      for number in 0..<count {
        _ = store.set(
          cookie("n\(number / 30)", "v", "h\(number % 30).example", expires: number < expiring ? 200 : nil),
          now: 100)
      }
    }
    fill(CookieLimits.perSession, expiring: 0)
    #expect(store.count == CookieLimits.perSession)
    _ = store.set(cookie("more"), now: 100)
    #expect(store.count == CookieLimits.perSession * 9 / 10)
    // The least recently used ones are gone.
    #expect(sent(store, to: url("a.example")) == "more=v")
    let domains = store.list(now: 100).filter { $0.name == "n0" }
    #expect(domains.isEmpty)
    // What has expired makes room first.
    store = self.store()
    fill(CookieLimits.perSession, expiring: 1)
    _ = store.set(cookie("more"), now: 300)
    #expect(store.count == CookieLimits.perSession)
  }

  @Test func aSessionHasOnlySoManyBytes() {
    for expiring in [0, 1] {
      var store = store()
      for number in 0..<256 {
        let domain = "h\(number % 2).example"
        let value = String(repeating: "v", count: 4096 - 8 - 1 - domain.utf8.count)
        let cookie = cookie(
          "n\(1_000_000 + number)", value, domain, expires: number < expiring ? 200 : nil)
        _ = store.set(cookie, now: 100)
      }
      #expect(store.count == 256)
      let value = String(repeating: "v", count: 4096 - 1 - 1 - "a.example".utf8.count)
      _ = store.set(cookie("m", value), now: 300)
      #expect(store.count == (expiring == 0 ? 230 : 256))
    }
  }

  @Test func aDomainHasOnlySoManyCookies() {
    for expires: Int64? in [nil, 200] {
      var store = store()
      for number in 0..<CookieLimits.perOrigin {
        _ = store.set(
          cookie("n\(number)", expires: number == 7 ? expires : nil, isSecure: number < 2), now: 100)
      }
      _ = store.set(cookie("more"), now: 300)
      #expect(store.count == CookieLimits.perOrigin)
      // The expired one, or else the least recently used one of cleartext.
      let names = Set(store.list(now: 300).map(\.name))
      #expect(!names.contains(expires == nil ? "n2" : "n7") && names.contains("n0") && names.contains("more"))
      #expect(names.contains("n2") == (expires != nil))
    }
  }

  // MARK: Secure cookies (RFC 6265bis §5.7)

  @Test(
    arguments: [
      ("a=2", "/", true, nil, true), ("b=2", "/", true, nil, false), ("a=2", "/", false, nil, false),
      ("a=2", "/", true, 50, false), ("a=2; Path=/y", "/x", true, nil, false),
      ("a=2; Path=/x/y", "/x", true, nil, true),
    ] as [(String, String, Bool, Int64?, Bool)])
  func cleartextHidesNoSecureCookie(
    field: String, path: String, isSecure: Bool, expires: Int64?, isRefused: Bool
  ) {
    for (domain, includesSubdomains) in [("a.example", false), ("w.a.example", false)] {
      var store = store()
      // It was set when it had not expired.
      _ = store.set(
        cookie(
          "a", "1", domain, expires: expires, includesSubdomains: includesSubdomains, isSecure: isSecure,
          path: path), now: 10)
      receive(&store, field + "; Domain=a.example", from: url("a.example", "/", .http))
      let values = store.list(now: 10).filter { $0.domain == "a.example" }.map(\.value)
      #expect(values.contains("2") == !isRefused)
    }
  }

  // MARK: What a caller sets

  @Test(
    arguments: [
      ("a.example", false, SessionConfiguration.Cookies.accept, false), ("a.example", true, .accept, true),
      ("a.example", true, .originOnly, false), ("a.example", false, .originOnly, false),
    ])
  func aCookieIsSharedWhereThePolicyAllowsIt(
    domain: String, includesSubdomains: Bool, policy: SessionConfiguration.Cookies, isShared: Bool
  ) {
    var store = store(policy)
    let refusal = add(&store, cookie("a", "v", domain, includesSubdomains: includesSubdomains))
    #expect(refusal == nil && (sent(store, to: url("w.a.example")) != nil) == isShared)
    #expect(sent(store, to: url("a.example")) == "a=v")
  }

  @Test func aPublicSuffixIsNotShared() {
    var store = store()
    #expect(add(&store, cookie("a", "v", "example", includesSubdomains: true)) == .publicSuffix)
    #expect(add(&store, cookie("a", "v", "example")) == nil && store.count == 1)
    #expect(add(&store, cookie("__Host-a", "v", "a.example", isSecure: true, path: "/x")) == .brokenPromise)
  }

  @Test(arguments: [("\u{1F}", 0), ("\u{20}", 1), ("~", 1), ("\u{7F}", 0), ("é", 1)])
  func aCookieWithAControlCharacterIsNotKept(character: String, count: Int) {
    for (name, value, path) in [
      ("a\(character)b", "v", "/"), ("a", "v\(character)w", "/"), ("a", "v", "/\(character)x"),
    ] {
      var store = store()
      _ = add(&store, cookie(name, value, path: path))
      #expect(store.count == count)
    }
  }

  @Test(arguments: [SessionConfiguration.Cookies.accept, .originOnly, .never])
  func whatAnotherStoreHadIsTakenOverInItsOrder(_ policy: SessionConfiguration.Cookies) {
    var old = store()
    for (name, host) in [("c", "b.example"), ("a", "a.example"), ("b", "b.example")] {
      _ = old.set(cookie(name, "v", host), now: 100)
    }
    #expect(old.all.map { String(decoding: $0.name, as: UTF8.self) } == ["c", "a", "b"])
    var new = store(policy)
    for kept in old.all { new.takeOver(kept, now: 100) }
    #expect(new.all == (policy == .never ? [] : old.all))
  }

  @Test(
    arguments: [
      (nil, nil, 0), ("a.example", nil, 1), ("A.EXAMPLE", "x", 2), (nil, "x", 1), ("b.example", "y", 3),
      ("c.example", nil, 3),
    ] as [(String?, String?, Int)])
  func onlyWhatIsNamedIsRemoved(domain: String?, name: String?, left: Int) {
    var store = store()
    for (name, host) in [("x", "a.example"), ("y", "a.example"), ("x", "b.example")] {
      _ = store.set(cookie(name, "v", host), now: 100)
    }
    let removed = store.remove(domain: domain, name: name)
    #expect(store.count == left && removed == 3 - left)
  }

  // MARK: Reading

  @Test func aDomainCoversTheNamesBelowIt() {
    for (domain, host, covers) in [
      ("a.example", "w.a.example", true), ("a.example", "a.example", false), ("", "a.", false),
      ("", "a.example", false), ("a.example", "xa.example", false), ("0.1", "10.0.0.1", false),
    ] {
      #expect(CookieDomain.covers(domain, host) == covers)
    }
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 01-Jan-70 00:00:01 GMT", 1),
      ("01 Jan 69 00:00:00", 3_124_224_000), ("01 Jan 99 00:00:00", 915_148_800),
      ("01 Jan 100 00:00:00", nil),
      ("01 Jan 2020 12::30:15", nil), ("01 Jan 1601 00:00:00", -11_644_473_600),
      ("01 Jan 1600 00:00:00", nil),
    ] as [(String, Int64?)])
  func aYearOfTwoDigitsIsNearOurs(text: String, seconds: Int64?) {
    #expect(CookieDate.seconds(text.utf8) == seconds)
  }

  @Test func aCookieIsForScriptsUnlessItSaysOtherwise() {
    var store = store()
    for (name, flags) in [("a", ""), ("b", "; HttpOnly"), ("c", "; Secure")] {
      receive(&store, "\(name)=1\(flags)", from: url("a.example"))
    }
    #expect(store.list(now: 100).map(\.isHTTPOnly) == [false, true, false])
    #expect(store.list(now: 100).map(\.isSecure) == [false, false, true])
  }
}
