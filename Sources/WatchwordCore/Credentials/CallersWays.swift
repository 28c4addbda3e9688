internal import WatchwordVocabulary

/// What the callers of a session have chosen of its ways to servers: roots, addresses, proxies, `Host`
/// fields, rules for login forms and accepted chains.
///
/// The user's and the administrator's are none of these: the system's roots, the name service, the proxies of
/// the daemon's environment, keys that the administrator pins, and permanent decisions about chains.
///
/// An object, since it is too large to be copied for a look at it.
final class CallersWays {
  /// The decisions about chains.
  var trust = TrustStore()
  /// The administrator's rules, as they were at the last event that a kept credential could be used in.
  var policy = TrustPolicy()

  /// Nil: none of its own.
  private var roots: String?
  private var addresses: String?
  /// The session's proxies.
  private var proxies: ProxyRules?
  /// The session's `Host` field.
  private var hostField: String?
  /// What the rules for login forms name at each origin.
  private var forms: [Origin: String]
  /// Of the daemon's environment.
  private let environment: ProxyRules?

  /// - Parameter proxies: those that lead to the origins of the session.
  init(
    _ configuration: SessionConfiguration = SessionConfiguration(), proxies: ProxyRules? = nil,
    forms: [FormRule] = [], environment: ProxyRules? = nil
  ) {
    roots = configuration.tls.roots.map(CallersWays.digest)
    let resolutions = configuration.addresses.resolve.map { "\($0.hostAndPort):\($0.address)" }
    addresses = resolutions.isEmpty ? nil : CallersWays.digest(resolutions.joined(separator: "\n"))
    self.proxies = proxies
    hostField = configuration.headers.first("host")
    self.forms = Dictionary(grouping: forms, by: \.page.origin).mapValues { rules in
      CallersWays.digest(rules.map(\.target).joined(separator: "\n"))
    }
    self.environment = environment
  }

  /// Takes what another configuration has chosen; the decisions are as they were.
  func change(to other: CallersWays) {
    (roots, addresses) = (other.roots, other.addresses)
    (proxies, hostField, forms) = (other.proxies, other.hostField, other.forms)
  }

  /// Those of a request; empty when callers have no say in where it ends.
  func ways(of use: CredentialUse) -> [CallersWay] {
    ways(to: use.url.origin, by: use.route, for: use.task)
  }

  /// Those that keep what the session has from the request: a proxy that its task alone has chosen, and a
  /// server that a `Host` field names (storage.md 9.2.7).
  func waysOfTask(_ use: CredentialUse) -> [CallersWay] {
    waysOfTask(to: use.url.origin, by: use.route, for: use.task)
  }

  func waysOfTask(to origin: Origin, by route: RequestRoute, for task: TaskIdentifier?) -> [CallersWay] {
    if route == RequestRoute() { return [] }
    var ways = route.host.map { [CallersWay(host: $0)] } ?? []
    if let proxy = proxyOfTask(route, to: origin) {
      let secure = origin.isSecure ? origin : proxy.origin.isSecure ? proxy.origin : nil
      ways.append(CallersWay(taskProxy: proxy))
      ways += secure.map { accepted(from: $0, for: task) } ?? []
    }
    return ways
  }

  /// The one that a task alone has chosen: neither its session nor the daemon's environment has.
  func proxyOfTask(_ route: RequestRoute, to origin: Origin) -> Proxy? {
    guard let proxy = route.proxy, proxy != proxies?.choice(for: origin)?.proxy, isCallers(proxy, to: origin)
    else { return nil }
    return proxy
  }

  /// Whether the request goes only where the session itself leads it.
  func isOfSession(_ use: CredentialUse) -> Bool {
    let origin = use.url.origin
    return proxyOfTask(use.route, to: origin) == nil
      && (use.route.host == nil || use.route.host == NamedHost(hostField, at: origin))
  }

  private func isCallers(_ proxy: Proxy, to origin: Origin) -> Bool {
    proxy != environment?.choice(for: origin)?.proxy
  }

  /// - Parameter task: nil: any, as far as decisions for the session concern it.
  func ways(to origin: Origin, by route: RequestRoute, for task: TaskIdentifier?) -> [CallersWay] {
    let secure = origin.isSecure ? origin : route.proxy?.origin
    let named = route.host.map { [CallersWay(host: $0)] } ?? []
    return named
      + joined(
        configured(to: origin, through: route.proxy, policy),
        secure.map { accepted(from: $0, for: task) } ?? [])
      + (forms[origin].map { [CallersWay(forms: $0)] } ?? [])
  }

  /// What of the way to a server is not the user's or the administrator's choice, in the order of the
  /// enumeration.
  ///
  /// - Parameter isForm: whether a login form gets the user and the password.
  func choices(
    to origin: Origin, by route: RequestRoute, for task: TaskIdentifier?, isForm: Bool
  ) -> [CallersWay.Choice] {
    let ways = ways(to: origin, by: route, for: task).filter { isForm || !$0.isForm }
    var choices = Set(ways.flatMap(\.choices))
    if proxyOfTask(route, to: origin) != nil { choices.remove(.proxy) }
    return CallersWay.Choice.allCases.filter(choices.contains)
  }

  private func accepted(from origin: Origin, for task: TaskIdentifier?) -> [CallersWay] {
    trust.accepted(from: origin, for: task).map { CallersWay(accepted: $0) }
  }

  /// Those of a handshake with a server that asks for a client certificate.
  func ways(to origin: Origin, in partition: ConnectionPartition?) -> [CallersWay] {
    let accepted = trust.accepted(from: origin, in: partition)
    return joined(configured(to: origin, through: nil, policy), accepted.map { CallersWay(accepted: $0) })
  }

  private func joined(_ configured: CallersWay?, _ accepted: [CallersWay]) -> [CallersWay] {
    (configured.map { [$0] } ?? []) + accepted
  }

  /// What the configuration has chosen. Keys that the administrator pins end that.
  func configured(to origin: Origin, through proxy: Proxy?, _ policy: TrustPolicy) -> CallersWay? {
    if origin.isSecure { return roots(for: origin, policy).map { CallersWay(roots: $0) } }
    let isOwnProxy = proxy.map { isCallers($0, to: origin) } ?? false
    let roots = proxy.flatMap { $0.origin.isSecure ? self.roots(for: $0.origin, policy) : nil }
    // An address may be that of the origin or of its proxy.
    guard addresses != nil || isOwnProxy || roots != nil else { return nil }
    return CallersWay(addresses: addresses, proxy: proxy, roots: roots)
  }

  private func roots(for origin: Origin, _ policy: TrustPolicy) -> String? {
    policy.pinsKeys(of: origin.host) ? nil : roots
  }

  /// The text itself where there is no SHA-256.
  private static func digest(_ text: String) -> String {
    guard var hash = Hash(.sha256) else { return text }
    hash.update(text)
    return hash.finish().hexadecimal
  }
}

extension CallersWay {
  /// Over https, with a chain that failed verification and was accepted.
  fileprivate init(accepted subject: TrustDecision.Subject) {
    switch subject {
    case .certificate(let chain): self.init(chain: chain.hexadecimal)
    case .publicKey(let key): self.init(key: key.hexadecimal)
    }
  }
}
