package import WatchwordVocabulary

/// The way to a server for which the administrator has a rule, or which gets what a source gives: a caller
/// must not lead it elsewhere, nor loosen what is verified on it (administrator.md 15.2.6, storage.md 9.7.7).
extension SessionState {
  /// The rule that an error names.
  private static let rule = "credentialSources"

  /// A caller names a source for an origin. From then on, decisions about chains do not count for the origin
  /// in this session, and the connections that may rest on one are not used again.
  ///
  /// - Returns: Why the source cannot be named; nil when it can.
  package mutating func nameSource(for space: ProtectionSpace) -> (CredentialFault?, [SessionEffect]) {
    let origin = space.origin
    let route = route(to: space)
    guard route.host == nil, !isOfCaller(origin, through: route.proxy) else {
      return (.callersWay, [])
    }
    let isNew = !board.sources.isGuarded(origin)
    guard board.sources.guardOrigin(origin) else { return (.sourceFailed, []) }
    if isNew, origin.isSecure { effects.append(.closeConnections(because: .somethingIsGone)) }
    return (nil, takeEffects())
  }

  /// The rule that keeps a request from its way; nil when it may go.
  func ruleAgainstWay(of request: ExchangeRequest) -> String? {
    let origin = request.url.origin
    let host = NamedHost(request.headers.first("host"), at: origin)
    return ruleAgainstWay(to: origin, by: RequestRoute(proxy: request.proxy?.proxy, host: host))
  }

  func ruleAgainstWay(to origin: Origin, by route: RequestRoute) -> String? {
    let proxy = route.proxy
    if let proxy, isOfCaller(proxy.origin, through: nil) {
      // Cleartext to a proxy is no matter of the policy.
      let rule = proxy.origin.isSecure ? moment.policy.ruleAgainstLoosening(for: proxy.origin.host) : nil
      if let rule = rule ?? ruleAgainstLoosening(for: proxy.origin) { return rule }
    }
    if route.host != nil, let rule = ruleAgainstLoosening(for: origin) { return rule }
    guard isOfCaller(origin, through: proxy) else { return nil }
    let rule =
      origin.isSecure
      ? moment.policy.ruleAgainstLoosening(for: origin.host)
      : moment.policy.exceptionForCleartext(to: origin.host)
    return rule ?? ruleAgainstLoosening(for: origin)
  }

  /// Whether a chain from the origin was verified with roots of a caller where these do not count: one whose
  /// handshake began before there was such a rule.
  func hasCallersRoots(for origin: Origin) -> Bool {
    origin.isSecure && isOfCaller(origin, through: nil)
  }

  /// The rule that keeps a chain that failed verification from being accepted.
  func ruleAgainstLoosening(for origin: Origin) -> String? {
    board.sources.isGuarded(origin) ? Self.rule : nil
  }

  /// Whether a caller decides where a request to the origin ends. Accepted chains do not count where this is
  /// asked.
  private func isOfCaller(_ origin: Origin, through proxy: Proxy?) -> Bool {
    memory.ways.configured(to: origin, through: proxy, moment.policy) != nil
      || isVerifiedByUserRoots(proxy, for: origin)
  }
}
