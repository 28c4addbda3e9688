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
    var ways = ways(roots: "pem")
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
}
