import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Hosts below `example` are one site each; `example` and `shared.example` are public suffixes.
@Suite struct CookieStoreTests {
  private static let suffixes: Set<String> = ["example", "shared.example"]

  private func store(_ policy: SessionConfiguration.Cookies = .accept) -> CookieStore {
    CookieStore(policy: policy) { domain, host in
      !Self.suffixes.contains { $0 == domain || $0.hasSuffix("." + domain) && host.hasSuffix($0) }
    }
  }

  private func url(_ text: String) -> RequestURL {
    let isSecure = text.hasPrefix("https://")
    let rest = text.drop { $0 != "/" }.dropFirst(2)
    let host = String(rest.prefix { $0 != "/" })
    let path = String(rest.drop { $0 != "/" })
    return RequestURL(
      origin: Origin(scheme: isSecure ? .https : .http, host: host, port: 443),
      path: path.isEmpty ? "/" : path,
      query: nil)
  }

  private func set(_ store: inout CookieStore, _ fields: [String], from text: String, now: Int64 = 100) {
    let bytes = fields.map { Array($0.utf8) }
    let buffers = bytes.map { bytes in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
      buffer.copyBytes(from: bytes)
      return buffer
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    let lent = zip(buffers, bytes).map { UnsafeRawBufferPointer(rebasing: $0[..<$1.count]) }
    store.receive(lent, from: url(text), now: now)
  }

  private func sent(_ store: inout CookieStore, to text: String, now: Int64 = 100) -> String? {
    store.field(for: url(text), now: now).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aCookieGoesBackToItsHostAndPath() {
    var store = store()
    set(&store, ["a=1", "b=2; Path=/deep", "c=3; Path=/deep/"], from: "https://a.example/x/y")
    #expect(sent(&store, to: "https://a.example/x/z") == "a=1")
    #expect(sent(&store, to: "https://a.example/x") == "a=1")
    #expect(sent(&store, to: "https://a.example/deep") == "c=3; b=2")
    #expect(sent(&store, to: "https://a.example/deeper") == nil)
    #expect(sent(&store, to: "https://sub.a.example/x/") == nil)
  }

  @Test func aDomainIsSharedUpToThePublicSuffix() {
    var store = store()
    let fields = ["a=1; Domain=a.example", "b=2; Domain=example", "c=3; Domain=b.example", "d=4; Domain=le"]
    set(&store, fields, from: "https://w.a.example/")
    #expect(sent(&store, to: "https://a.example/") == "a=1")
    #expect(sent(&store, to: "https://v.w.a.example/") == "a=1")
    #expect(sent(&store, to: "https://xa.example/") == nil)
    #expect(store.count == 1)
  }

  @Test func aHostThatIsAPublicSuffixKeepsItsCookiesForItself() {
    var store = store()
    set(&store, ["a=1; Domain=shared.example"], from: "https://shared.example/")
    #expect(sent(&store, to: "https://shared.example/") == "a=1")
    #expect(sent(&store, to: "https://other.shared.example/") == nil)
  }

  @Test func anAddressHasNoSubdomains() {
    var store = store()
    set(&store, ["a=1; Domain=0.0.1", "b=2; Domain=127.0.0.1"], from: "http://127.0.0.1/")
    #expect(sent(&store, to: "http://127.0.0.1/") == "b=2")
    #expect(store.list(now: 100).map(\.includesSubdomains) == [false])
  }

  @Test func originOnlyDecidesWhenTheCookieArrives() {
    var store = store(.originOnly)
    let fields = ["wide=1; Domain=a.example", "same=2; Domain=w.a.example", "own=3"]
    set(&store, fields, from: "https://w.a.example/")
    #expect(sent(&store, to: "https://w.a.example/") == "same=2; own=3")
    #expect(
      sent(&store, to: "https://v.w.a.example/") == nil && sent(&store, to: "https://a.example/") == nil)
  }

  @Test func neverKeepsNothing() {
    var store = store(.never)
    set(&store, ["a=1"], from: "https://a.example/")
    #expect(store.isEmpty && sent(&store, to: "https://a.example/") == nil)
  }

  @Test(arguments: [.accept, .originOnly] as [SessionConfiguration.Cookies])
  func aPrefixKeepsItsPromise(_ policy: SessionConfiguration.Cookies) {
    var store = store(policy)
    let broken = [
      "__Secure-a=1", "__Host-b=1; Path=/", "__Host-c=1; Secure", "__Host-d=1; Secure; Path=/x",
      "__Host-e=1; Secure; Path=/; Domain=w.a.example", "__HOST-f=1; Secure", "__secure-g=1",
    ]
    set(&store, broken, from: "https://w.a.example/")
    #expect(store.isEmpty)
    let kept = ["__Secure-a=1; Secure", "__Host-b=2; Secure; Path=/", "__Hos-c=3", "x__Host-d=4"]
    set(&store, kept, from: "https://w.a.example/")
    #expect(store.count == 4)
    set(&store, ["__Secure-h=1; Secure"], from: "http://w.a.example/")
    #expect(store.count == 4)
  }

  @Test func aCallersCookieKeepsItsPromiseToo() {
    var store = store()
    var cookie = Cookie(
      name: "__Host-a", value: "1", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
      isSecure: true, isHTTPOnly: false)
    var refusal = store.set(cookie, now: 100)
    #expect(refusal == nil)
    cookie.includesSubdomains = true
    refusal = store.set(cookie, now: 100)
    #expect(refusal == .brokenPromise)
    cookie.includesSubdomains = false
    cookie.isSecure = false
    refusal = store.set(cookie, now: 100)
    #expect(refusal == .brokenPromise)
    #expect(sent(&store, to: "https://a.example/") == "__Host-a=1")
  }

  @Test func cleartextNeitherSendsNorReplacesNorHidesASecureCookie() {
    var store = store()
    set(
      &store, ["sid=1; Secure; Path=/login", "top=1; Secure; Domain=a.example"], from: "https://w.a.example/")
    #expect(sent(&store, to: "http://w.a.example/login") == nil)
    let attempts = [
      "sid=2; Path=/login", "sid=2; Path=/login/en", "sid=2; Domain=a.example; Path=/login", "top=2",
      "new=1; Secure",
    ]
    set(&store, attempts, from: "http://w.a.example/")
    #expect(sent(&store, to: "https://w.a.example/login") == "sid=1; top=1")
    set(&store, ["sid=3; Path=/loginhelper"], from: "http://w.a.example/")
    #expect(sent(&store, to: "http://w.a.example/loginhelper") == "sid=3")
    #expect(sent(&store, to: "https://w.a.example/login") == "sid=1; top=1")
  }

  @Test func loopbackCountsAsSecure() {
    var store = store()
    set(&store, ["a=1; Secure"], from: "http://localhost/")
    #expect(sent(&store, to: "http://localhost/") == "a=1")
  }

  @Test func replacingKeepsThePlace() {
    var store = store()
    set(&store, ["a=1", "b=2"], from: "https://a.example/")
    set(&store, ["a=3"], from: "https://a.example/")
    #expect(sent(&store, to: "https://a.example/") == "a=3; b=2")
    #expect(store.count == 2)
  }

  @Test func timeRemoves() {
    var store = store()
    set(&store, ["a=1; Max-Age=10", "b=2"], from: "https://a.example/")
    #expect(sent(&store, to: "https://a.example/", now: 109) == "a=1; b=2")
    #expect(sent(&store, to: "https://a.example/", now: 110) == "b=2")
    #expect(store.list(now: 110).map(\.name) == ["b"])
    set(&store, ["b=2; Max-Age=0"], from: "https://a.example/", now: 110)
    #expect(sent(&store, to: "https://a.example/", now: 110) == nil)
  }

  @Test func octetsComeBackAsTheyCame() {
    var store = store()
    let field: [UInt8] = Array("a=".utf8) + [0xE9, 0xFF]
    field.withUnsafeBytes { store.receive([$0], from: url("https://a.example/"), now: 100) }
    #expect(store.field(for: url("https://a.example/"), now: 100) == field)
  }

  @Test func oneResponseBringsABoundedNumber() {
    var store = store()
    set(&store, (0..<200).map { "n\($0)=1" }, from: "https://a.example/")
    #expect(store.count == CookieLimits.perResponse)
  }

  @Test func oneDomainHasABoundedNumberAndTheOneUsedLongestAgoGoes() {
    var store = store()
    set(
      &store, ["first=1; Secure", "second=1; Path=/used", "third=1; Path=/unused"], from: "https://a.example/"
    )
    for index in 3..<CookieLimits.perOrigin {
      set(&store, ["n\(index)=1; Path=/n; Secure"], from: "https://a.example/")
    }
    #expect(sent(&store, to: "https://a.example/used") == "second=1; first=1")
    set(&store, ["more=1; Path=/more"], from: "https://a.example/")
    #expect(store.count == CookieLimits.perOrigin)
    #expect(sent(&store, to: "https://a.example/unused") == "first=1")
    #expect(sent(&store, to: "https://a.example/used") == "second=1; first=1")
  }

  @Test func aSessionHasABoundedNumber() {
    var store = store()
    for host in 0..<100 {
      set(&store, (0..<50).map { "n\($0)=1" }, from: "https://h\(host).example/")
      // Used again and again, so that it stays.
      #expect(sent(&store, to: "https://h0.example/") != nil)
    }
    #expect(store.count <= CookieLimits.perSession)
    #expect(store.count > CookieLimits.perSession / 2)
    #expect(store.list(for: url("https://h0.example/"), now: 100).count == 50)
  }

  @Test func aSessionHasABoundedSize() {
    var store = store()
    let value = String(repeating: "v", count: 4000)
    for host in 0..<20 {
      set(&store, (0..<50).map { "n\($0)=\(value)" }, from: "https://h\(host).example/")
    }
    let bytes = store.list(now: 100).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    #expect(bytes <= CookieLimits.bytesPerSession && bytes > CookieLimits.bytesPerSession / 2)
  }

  @Test func aFieldHasABoundedSize() {
    var store = store()
    set(&store, (0..<50).map { "n\($0)=" + String(repeating: "v", count: 1000) }, from: "https://a.example/")
    let field = sent(&store, to: "https://a.example/") ?? ""
    #expect(field.utf8.count <= CookieLimits.fieldBytes - 8 && field.utf8.count > 7000)
  }

  @Test func removingNamesDomainOrName() {
    var store = store()
    set(&store, ["a=1", "b=2"], from: "https://a.example/")
    set(&store, ["a=3"], from: "https://b.example/")
    let counts = [("A.example", "b"), (nil, "a"), (nil, nil)].map { store.remove(domain: $0, name: $1) }
    #expect(counts == [1, 2, 0] && store.isEmpty)
  }
}
