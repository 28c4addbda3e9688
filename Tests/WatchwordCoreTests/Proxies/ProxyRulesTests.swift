import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct ProxyRulesTests {
  private static func proxy(_ host: String, _ type: ProxyType = .http) -> Proxy {
    Proxy(type, url: RequestURL(origin: Origin(scheme: .http, host: host, port: 3128), path: "/", query: nil))
  }

  private static func origin(_ host: String, _ port: UInt16 = 443, _ scheme: WebScheme = .https) -> Origin {
    Origin(scheme: scheme, host: host, port: port)
  }

  private static func rules(_ exceptions: [String] = []) -> ProxyRules {
    var rules = ProxyRules(.session)
    rules.https = ProxyRules.Setting(name: "https", proxy: proxy("secure"))
    rules.all = ProxyRules.Setting(name: "all", proxy: proxy("any"))
    rules.exceptions = exceptions.compactMap { ProxyException($0) }
    return rules
  }

  @Test func aSchemesOwnProxyComesBeforeTheOneForAll() {
    let rules = Self.rules()
    #expect(rules.choice(for: Self.origin("a"))?.proxy == Self.proxy("secure"))
    #expect(rules.choice(for: Self.origin("a", 80, .http))?.proxy == Self.proxy("any"))
    #expect(ProxyRules(.session).choice(for: Self.origin("a")) == nil)
  }

  @Test func anExceptionIsNamed() {
    let choice = Self.rules(["other", "a.test"]).choice(for: Self.origin("b.a.test"))
    #expect(choice?.exception == "a.test")
    #expect(choice?.proxy == nil && choice?.isUnusable == false)
  }

  @Test func aSettingThatIsNoURLLetsNothingPast() {
    var rules = ProxyRules(.environment)
    rules.http = ProxyRules.Setting(name: "http_proxy", proxy: nil)
    #expect(rules.choice(for: Self.origin("a", 80, .http))?.isUnusable == true)
    rules.exceptions = [ProxyException("a")].compactMap(\.self)
    #expect(rules.choice(for: Self.origin("a", 80, .http))?.isUnusable == false)
  }

  @Test(arguments: [
    ("a.test", "a.test"), ("a.test", "b.a.test"), (".a.test", "a.test"), ("*.a.test", "b.a.test"),
    ("A.Test", "a.test"), ("a.test.", "a.test"), ("a.test", "a.test."), ("a.test:443", "a.test"), ("*", "a"),
    ("10.0.0.0/8", "10.1.2.3"), ("10.1.2.3", "10.1.2.3"), ("10.1.2.3:443", "10.1.2.3"),
    ("0.0.0.0/0", "1.2.3.4"),
    ("192.168.1.128/25", "192.168.1.200"), ("::1", "::1"), ("[::1]", "::1"), ("[::1]:443", "::1"),
    ("fd00::/8", "fd12::1"), ("2001:db8::/33", "2001:db8:7fff::1"),
  ])
  func matches(_ exception: String, _ host: String) {
    #expect(ProxyException(exception)?.matches(Self.origin(host)) == true)
  }

  @Test(arguments: [
    ("a.test", "aa.test"), ("a.test", "test"), ("a.test:80", "a.test"), ("10.0.0.0/8", "11.0.0.1"),
    ("10.0.0.0/8", "10.test"), ("192.168.1.128/25", "192.168.1.100"), ("::1", "127.0.0.1"),
    ("[::1]:80", "::1"), ("2001:db8::/33", "2001:db8:8000::1"), ("0.0.0.0/0", "::1"),
    ("0.0.1", "127.0.0.1"), (".1", "127.0.0.1"),
  ])
  func doesNotMatch(_ exception: String, _ host: String) {
    #expect(ProxyException(exception)?.matches(Self.origin(host)) == false)
  }

  @Test(arguments: [
    "", " ", "a b", "a/b", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "a:", "a:0", "a:65536", "a:+1",
    "[::1",
    "[a]", "[::1]x", "::1/129", ".", "..a", "*.", "a*b", "10.0.0.0/8:80", "a\u{0}", "é",
  ])
  func isMalformed(_ text: String) { #expect(ProxyException(text) == nil) }

  @Test func aTunnelLeadsToSecureOriginsAndThroughSOCKS() {
    let plain = Self.origin("a", 80, .http)
    #expect(!Self.proxy("p").isTunnel(to: plain))
    #expect(Self.proxy("p").isTunnel(to: Self.origin("a")))
    #expect(Self.proxy("p", .socks5).isTunnel(to: plain))
  }

  @Test func whatTellsCredentialsApartHoldsNone() {
    weak var password: Secret?
    let marks: [CredentialMark]
    do {
      let secret = TaskScene.secret("a")
      password = secret
      marks = [
        .password(user: "joe", password: secret), .password(user: "ann", password: secret),
        .password(user: "joe", password: TaskScene.secret("b")),
        .password(user: "", password: TaskScene.secret("joea")),
        .token(secret), .kerberos(.defaultCache), .kerberos(.namedCache("a")), .kerberos(.namedKeytab("a")),
        .kerberos(.cache(secret)), .kerberos(.keytab(secret, principal: "joe")),
      ].map(CredentialMark.init)
    }
    #expect(password == nil)
    #expect(Set(marks).count == marks.count)
  }

  @Test func aPartitionHasTheProxyItsCredentialAndItsDecision() {
    func partition(
      _ host: String = "p", _ credential: Credential.Kind? = nil,
      _ ground: ConnectionPartition.Ground = .common
    ) -> ConnectionPartition {
      ConnectionPartition(
        .common,
        proxy: ConnectionPartition.ProxyRoute(
          Self.proxy(host), credential: credential, partition: ConnectionPartition(ground)))
    }
    let joe = Credential.Kind.password(user: "joe", password: TaskScene.secret("a"))
    let other = Credential.Kind.password(user: "joe", password: TaskScene.secret("b"))
    let different = [
      .common, partition(), partition("q"), partition("p", joe), partition("p", other),
      partition("p", nil, .grant(1)),
    ]
    #expect(Set(different).count == different.count)
    #expect(partition("p", joe) == partition("p", joe))
    let again = Credential.Kind.password(user: "joe", password: TaskScene.secret("a"))
    #expect(partition("p", joe) == partition("p", again))
    #expect(partition("p", nil, .grant(1)).dependsOn(.grant(1)) && !partition().dependsOn(.grant(1)))
  }
}
