import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct PreemptiveScopeTests {
  private let origin = Origin(scheme: .https, host: "a.test", port: 443)

  private func url(_ path: String, on other: Origin? = nil) -> RequestURL {
    RequestURL(origin: other ?? origin, path: path, query: "q=/..")
  }

  /// Accepted path, requested path, and the depth of the scope when it is covered.
  static let directories: [(accepted: String, requested: String, depth: Int?)] = [
    ("/", "/", 0), ("/", "/x/y", 0), ("/x", "/y", 0), ("/docs/index.html", "/docs/", 1),
    ("/docs/index.html", "/docs/other", 1), ("/docs/index.html", "/docs/deep/er", 1),
    ("/docs/index.html", "/docs", nil), ("/docs/index.html", "/docsx/y", nil), ("/docs/index.html", "/", nil),
    ("/docs/index.html", "/DOCS/x", nil), ("/docs/", "/docs/x", 1), ("/a/b/c", "/a/b/", 2),
    ("/a/b/c", "/a/x", nil),
    ("/a//c", "/a//d", 2), ("/a//c", "/a/d", nil), ("/a/c", "/a//d", 1), ("//a/c", "/a/c", nil),
    ("/a%2Fb/c", "/a%2Fb/d", 1), ("/a%2Fb/c", "/a/b/d", nil), ("/a/b/c", "/a%2Fb/d", nil),
    ("/docs/x", "/docs/%2e%2e/y", nil), ("/docs/x", "/docs/.%2E/y", nil), ("/docs/x", "/docs/..%2fy", nil),
    ("/docs/x", "/docs/..%5Cy", nil), ("/docs/x", "/docs/..\\y", nil), ("/docs/x", "/docs/..;a=b/y", nil),
    ("/docs/x", "/docs/a%2f../y", nil), ("/docs/x", "/docs/..", nil), ("/docs/x", "/docs/%2e%2e", nil),
    ("/docs/x", "/docs/...", 1), ("/docs/x", "/docs/a..b/c", 1), ("/docs/x", "/docs/.%2", 1),
    ("/docs/x", "/docs/..%zz", 1), ("/docs/x", "/docs/%", 1), ("/docs/x", "/docs/a;../b", 1),
    ("/x", "/%2e%2e/y", 0),
    ("/p/q/x", "/p/q/%252e%252e/z", nil), ("/p/q/x", "/p/q/%25252e.%25252fz", nil),
    ("/p/q/x", "/p/q/%25%32%65%%32%65/z", nil), ("/p/q/x", "/p/q/..%253bx/z", nil),
    ("/p/q/x", "/p/q/a%252e%252e/z", 2), ("/p/q/x", "/p/q/100%25/z", 2), ("/p/q/x", "/p/q/%252", 2),
    ("/p/q/x", "/p/q/%c0%ae%c0%ae/z", nil), ("/p/q/x", "/p/q/..%c0%afz", nil),
    ("/p/q/x", "/p/q/%C1%9Cx", nil), ("/p/q/x", "/p/q/%e0%80%ae./z", nil),
    ("/p/q/x", "/p/q/%f0%80%80%ae./z", nil), ("/p/q/x", "/p/q/%u002e%u002e/z", nil),
    ("/p/q/x", "/p/q/%25U002E./z", nil), ("/p/q/x", "/p/q/%ef%bc%8e%ef%bc%8e/z", nil),
    ("/p/q/x", "/p/q/..%ef%bc%8fz", nil), ("/p/q/x", "/p/q/..%ef%bc%bcz", nil),
    ("/p/q/x", "/p/q/%e2%80%a5/z", nil), ("/p/q/x", "/p/q/%e2%80%a4%e2%80%a4/z", nil),
    ("/p/q/x", "/p/q/\u{FF0E}\u{FF0E}/z", nil), ("/p/q/x", "/p/q/..%00/z", nil),
    ("/p/q/x", "/p/q/.%09./z", nil), ("/p/q/x", "/p/q/%7f../z", nil), ("/p/q/x", "/p/q/..%20/z", nil),
    ("/p/q/x", "/p/q/..%20%20", nil), ("/p/q/x", "/p/q/..%3f/z", nil), ("/p/q/x", "/p/q/%2e%2e%23a/z", nil),
    ("/p/q/x", "/p/q/größe/日本", 2), ("/p/q/x", "/p/q/gr%c3%b6%c3%9fe/%e6%97%a5%e6%9c%ac", 2),
    ("/p/q/x", "/p/q/\u{0950}\u{10000}\u{FF0D}", 2), ("/p/q/x", "/p/q/a%20b/..%20c", 2),
    ("/p/q/x", "/p/q/what%3f../z", 2), ("/p/q/x", "/p/q/100%25up", 2), ("/p/q/x", "/p/q/%u002", 2),
  ]

  @Test(arguments: directories.indices)
  func directoryOfTheAcceptedPathAndBelow(index: Int) {
    let (accepted, requested, depth) = Self.directories[index]
    for method in [AuthenticationMethod.basic, .bearer] {
      let scope = PreemptiveScope(method: method, acceptedAt: url(accepted), digestDomain: ["/elsewhere"])
      #expect(scope.depth(covering: url(requested)) == depth, "\(accepted) \(requested)")
      #expect(scope.covers(url(requested)) == (depth != nil))
    }
  }

  @Test(.timeLimit(.minutes(1))) func aPathThatIsEncodedOverAndOverIsReadInLinearTime() {
    let scope = PreemptiveScope(method: .basic, acceptedAt: url("/p/x"))
    let nested = String(repeating: "25", count: 250_000)
    #expect(!scope.covers(url("/p/%\(nested)2e./z")))
    #expect(scope.covers(url("/p/%\(nested)2ea/z")))
  }

  @Test func otherOriginsAreNeverCovered() {
    let others = [
      Origin(scheme: .http, host: "a.test", port: 443), Origin(scheme: .https, host: "b.test", port: 443),
      Origin(scheme: .https, host: "a.test", port: 444),
    ]
    for method in AuthenticationMethod.allCases {
      let scope = PreemptiveScope(method: method, acceptedAt: url("/"))
      for other in others { #expect(!scope.covers(url("/", on: other))) }
    }
  }

  /// `domain`, requested path, and whether it is covered, after `/in/x` was accepted.
  static let domains: [(domain: [String], requested: String, isCovered: Bool)] = [
    ([], "/anything", true), (["/in"], "/in/y", true), (["/in"], "/in", true), (["/in"], "/in/x", true),
    (["/in"], "/inner", false), (["/in"], "/out", false), (["/in", "/out/"], "/out/y", true),
    (["/in", "/out/"], "/out", false), (["/out"], "/in/x", true), (["/out"], "/in/y", false),
    (["https://a.test/out"], "/out/y", true), (["https://a.test/out"], "/x", false),
    (["HTTPS://A.TEST:443/out"], "/x", false), (["https://a.test"], "/x", true),
    (["https://a.test:/out"], "/x", false),
    (["http://a.test/out"], "/x", true), (["https://b.test/out"], "/x", true),
    (["https://a.test:8443/"], "/x", true),
    (["/in", "https://b.test/out"], "/out", false), (["https://a.test.evil/"], "/x", true),
    (["https://u@a.test/out"], "/x", true), (["https://a.test@b/"], "/x", true),
    (["//a.test/out"], "/x", true),
    (["out"], "/x", true), (["../out"], "/x", true), (["\""], "/x", true), (["/\""], "/x", true),
    (["/out/.."], "/x", true), (["/out/%2e%2e/"], "/x", true), (["/out?q"], "/x", true),
    (["/out#f"], "/x", true),
    (["*"], "/x", true), (["/in"], "/in/../x", false), (["/in"], "/in/%2e%2e/x", false), (["/"], "/x", true),
  ]

  @Test(arguments: domains.indices)
  func digestCoversWhatDomainNamesOnThisOrigin(index: Int) {
    let (domain, requested, isCovered) = Self.domains[index]
    let scope = PreemptiveScope(method: .digest, acceptedAt: url("/in/x"), digestDomain: domain)
    #expect(scope.covers(url(requested)) == isCovered, "\(domain) \(requested)")
  }

  @Test func domainListIsBounded() {
    let many = (0...PreemptiveScope.maximumEntries).map { "/\($0)/" }
    let scope = PreemptiveScope(method: .digest, acceptedAt: url("/x"), digestDomain: many)
    #expect(scope.covers(url("/0/y")))
    #expect(!scope.covers(url("/\(PreemptiveScope.maximumEntries)/y")))
  }

  @Test func deepestScopeIsKnownByItsDepth() {
    let scopes = ["/", "/a/x", "/a/b/x"].map { PreemptiveScope(method: .basic, acceptedAt: url($0)) }
    #expect(scopes.map { $0.depth(covering: url("/a/b/c/d")) } == [0, 1, 2])
    #expect(scopes.map { $0.depth(covering: url("/a/c")) } == [0, 1, nil])
  }

  @Test func defaultPortMayBeLeftOutOfADomain() {
    let plain = Origin(scheme: .http, host: "::1", port: 8080)
    let scope = PreemptiveScope(
      method: .digest, acceptedAt: url("/x", on: plain),
      digestDomain: ["http://[::1]:8080/in", "http://[::1]/out"])
    #expect(scope.covers(url("/in/y", on: plain)))
    #expect(!scope.covers(url("/out/y", on: plain)))
  }

  @Test(arguments: [AuthenticationMethod.ntlm, .negotiate])
  func authenticatedConnectionsServeTheWholeOrigin(method: AuthenticationMethod) {
    let scope = PreemptiveScope(method: method, acceptedAt: url("/in/x"))
    #expect(scope.covers(url("/out/y")))
    #expect(!scope.covers(url("/in/x", on: Origin(scheme: .https, host: "b.test", port: 443))))
  }

  @Test(arguments: [AuthenticationMethod.htmlForm, .serverTrust, .clientCertificate])
  func otherMethodsAreNotSentUnasked(method: AuthenticationMethod) {
    #expect(!PreemptiveScope(method: method, acceptedAt: url("/")).covers(url("/")))
  }
}

extension PreemptiveScope {
  fileprivate func covers(_ url: RequestURL) -> Bool { depth(covering: url) != nil }
}
