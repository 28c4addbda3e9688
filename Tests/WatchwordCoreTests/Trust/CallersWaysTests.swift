import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct CallersWaysTests {
  private let secure = Origin(scheme: .https, host: "a.test", port: 443)
  private let plain = Origin(scheme: .http, host: "a.test", port: 80)

  private func ways(
    roots: String? = nil, resolve: [String: String] = [:], environment: ProxyRules? = nil
  ) -> CallersWays {
    var configuration = SessionConfiguration()
    configuration.tls.roots = roots
    configuration.addresses.resolve = resolve.map {
      SessionConfiguration.Resolution(hostAndPort: $0.key, address: $0.value)
    }
    return CallersWays(configuration, environment: environment)
  }

  private func proxy(_ type: ProxyType) -> Proxy {
    let scheme: WebScheme = type == .https ? .https : .http
    return Proxy(
      type, url: RequestURL(origin: Origin(scheme: scheme, host: "p.test", port: 1), path: "/", query: nil))
  }

  @Test func overTLSOnlyRootsAndAcceptedChainsAreACallers() {
    #expect(
      ways(resolve: ["a.test:443": "10.0.0.1"]).ways(
        to: secure, by: RequestRoute(proxy: proxy(.http)), for: nil) == [])
    let found = ways(roots: "pem").ways(to: secure, by: RequestRoute(), for: nil)
    #expect(found.count == 1)
    #expect(found == ways(roots: "pem").ways(to: secure, by: RequestRoute(proxy: proxy(.socks5)), for: nil))
    #expect(found != ways(roots: "other").ways(to: secure, by: RequestRoute(), for: nil))
  }

  @Test func keysThatAreBoundEndWhatRootsSay() throws {
    let key = try #require(Fingerprint([UInt8](repeating: 1, count: 32)))
    var rule = TrustPolicy.Rule()
    rule.pinnedPublicKeys = [key]
    let ways = ways(roots: "pem")
    ways.policy = TrustPolicy(defaults: rule)
    #expect(ways.ways(to: secure, by: RequestRoute(), for: nil) == [])
  }

  @Test func overCleartextAddressesAndProxiesAre() {
    #expect(ways().ways(to: plain, by: RequestRoute(), for: nil) == [])
    #expect(ways(roots: "pem").ways(to: plain, by: RequestRoute(), for: nil) == [])
    let addressed = ways(resolve: ["a.test:80": "10.0.0.1"]).ways(to: plain, by: RequestRoute(), for: nil)
    #expect(addressed.count == 1)
    #expect(
      addressed != ways(resolve: ["a.test:80": "10.0.0.2"]).ways(to: plain, by: RequestRoute(), for: nil))
    let proxied = ways().ways(to: plain, by: RequestRoute(proxy: proxy(.http)), for: nil)
    #expect(proxied.count == 1 && proxied != addressed)
    // Who vouches for the proxy is a part of the way through it.
    let trusted = ways(roots: "pem").ways(to: plain, by: RequestRoute(proxy: proxy(.https)), for: nil)
    #expect(trusted != ways().ways(to: plain, by: RequestRoute(proxy: proxy(.https)), for: nil))
  }

  @Test func theOldestOfTooManyGoes() {
    var given = GivenWays()
    for number in 0...GivenWays.capacity { given.add([CallersWay(roots: String(number))]) }
    #expect(given.all.count == GivenWays.capacity)
    #expect(!given.includes([CallersWay(roots: "0")]))
    #expect(given.includes([CallersWay(roots: "1"), CallersWay(roots: String(GivenWays.capacity))]))
    given.add([CallersWay(roots: String(repeating: "x", count: CallersWay.maximumBytes))])
    #expect(given.all.count == GivenWays.capacity && given.includes([CallersWay(roots: "1")]))
  }

  @Test func theServerThatAHostFieldNamesIsOneOfItsOwn() throws {
    let way = CallersWay(host: try #require(NamedHost("b.test", at: plain)))
    var given = GivenWays([way])
    #expect(given.includes([way]) && !given.includes([]))
    given.add([])
    #expect(given.includes([way]) && given.includes([]))
    #expect(GivenWays(given.all) == given)
    given = GivenWays()
    given.add([way])
    #expect(given.includes([way]) && given.includes([]))
    // However many other ways there are, it does not seem to be the URL's own server's.
    given = GivenWays([way])
    for number in 0...GivenWays.capacity {
      given = given.with(GivenWays([way, CallersWay(roots: String(number))]))
    }
    #expect(given.all.count == GivenWays.capacity && given.includes([way]) && !given.includes([]))
  }

  @Test(
    arguments: [
      (nil, nil), ("a.test", nil), ("A.TEST:80", nil), ("a.test:443", "a.test:443"), ("a.test.", "a.test."),
      ("", ""),
      ("B.test", "b.test"), ("\u{212A}.test", "\\xe2\\x84\\xaa.test"),
    ] as [(String?, String?)])
  func octetsOfAHostFieldAreCompared(field: String?, named: String?) {
    #expect(NamedHost(field, at: plain)?.text == named)
  }

  // MARK: What a task chooses (storage.md 9.2.7)

  /// Of the session are its own proxy, the environment's and its own `Host` field.
  @Test func onlyWhatATaskAloneChoosesIsItsOwn() {
    let (own, another, environment) = (proxy(.http), proxy(.socks5), proxy(.socks4))
    var configuration = SessionConfiguration()
    configuration.headers = [HeaderField("Host", "b.test")]
    func rules(_ source: ProxyRules.Source, _ proxy: Proxy) -> ProxyRules {
      var rules = ProxyRules(source)
      rules.all = ProxyRules.Setting(name: "all", proxy: proxy)
      return rules
    }
    let ways = CallersWays(
      configuration, proxies: rules(.session, own), environment: rules(.environment, environment))
    func use(_ route: RequestRoute) -> CredentialUse {
      var use = CredentialUse(
        url: RequestURL(origin: plain, path: "/", query: nil), method: "GET", process: nil, now: 0,
        wallClock: 0)
      use.route = route
      return use
    }
    let (session, task) = (NamedHost("b.test", at: plain), NamedHost("c.test", at: plain))
    for (proxy, isTasks) in [(nil, false), (own, false), (environment, false), (another, true)]
      as [(Proxy?, Bool)]
    {
      for (host, isOther) in [(nil, false), (session, false), (task, true)] as [(NamedHost?, Bool)] {
        let use = use(RequestRoute(proxy: proxy, host: host))
        #expect(ways.isOfSession(use) == (!isTasks && !isOther))
        #expect(ways.waysOfTask(use).count == (isTasks ? 1 : 0) + (host == nil ? 0 : 1))
        let choices = ways.choices(to: plain, by: use.route, for: nil, isForm: false)
        #expect(choices == (proxy === own ? [.proxy] : []))
      }
    }
  }

  @Test(arguments: [false, true]) func theRulesForFormsConcernForms(_ isForm: Bool) {
    let rule = FormRule(
      page: RequestURL(origin: secure, path: "/login", query: nil), isPrefix: false,
      when: FormRule.Condition(), userField: "u", passwordField: "p", success: FormRule.Condition())
    let ways = CallersWays(forms: [rule])
    #expect(
      ways.choices(to: secure, by: RequestRoute(), for: nil, isForm: isForm) == (isForm ? [.forms] : []))
    #expect(ways.choices(to: plain, by: RequestRoute(), for: nil, isForm: isForm) == [])
  }

  @Test(arguments: [(0, false), (1, true), (512, true), (513, false)])
  func aWayHasABoundedText(_ count: Int, _ isWay: Bool) {
    #expect((CallersWay(text: String(repeating: "a", count: count)) != nil) == isWay)
  }
}
