internal import WatchwordCore
internal import WatchwordVocabulary

/// `Set-Cookie` fields of several hosts, a line each, and what is sent back to them.
///
/// The first byte chooses the policy. Each line begins with a byte that chooses the host and how much later it is.
enum CookieTarget {
  private static let policies: [SessionConfiguration.Cookies] = [.accept, .originOnly, .never]
  private static let hosts = ["a.test", "b.a.test", "other.test", "127.0.0.1", "test"]

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let policy = policies[reader.choice(policies.count)]
    // As if every name of one label were a public suffix.
    var store = CookieStore(policy: policy) { domain, _ in domain.utf8.contains(UInt8(ascii: ".")) }
    var now: Int64 = 1_800_000_000
    for line in reader.parts(separatedBy: UInt8(ascii: "\n")) {
      guard let choice = line.first else { continue }
      now += Int64(choice >> 5)
      let field = UnsafeRawBufferPointer(rebasing: line.dropFirst())
      store.receive([field], from: url(Int(choice)), now: now)
    }
    check(&store, policy, now)
  }

  private static func url(_ choice: Int) -> RequestURL {
    let host = hosts[choice % hosts.count]
    let scheme: WebScheme = choice & 16 == 0 ? .https : .http
    return RequestURL(
      origin: Origin(scheme: scheme, host: host, port: scheme.defaultPort), path: "/p/q", query: nil)
  }

  private static func check(_ store: inout CookieStore, _ policy: SessionConfiguration.Cookies, _ now: Int64)
  {
    let cookies = store.list(now: now)
    require(policy != .never || cookies.isEmpty, "a cookie against the policy")
    require(policy == .accept || !cookies.contains(where: \.includesSubdomains), "a cookie of a whole domain")
    for cookie in cookies {
      require(hosts.contains(cookie.domain), "a cookie for a host that is none of the senders")
      require(!cookie.includesSubdomains || cookie.domain.contains("."), "a cookie of a public suffix")
      let hasPath = cookie.path.utf8.first == UInt8(ascii: "/")
      require(hasPath && !cookie.name.isEmpty, "a cookie without path or name")
      require(cookie.expires.map { $0 > now } ?? true, "a cookie that has expired")
    }
    for choice in 0..<32 {
      let url = url(choice)
      guard let field = store.field(for: url, now: now) else { continue }
      require(field.count <= CookieLimits.fieldBytes, "a field beyond its bound")
      require(field.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a field")
      let isKnown = cookies.contains {
        $0.domain == url.origin.host || $0.includesSubdomains && url.origin.host.hasSuffix("." + $0.domain)
      }
      require(isKnown, "a cookie goes to another host")
    }
  }
}
