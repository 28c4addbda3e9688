package import WatchwordVocabulary

/// The way to a server that gets what the administrator's sources give: a caller must not lead it elsewhere, nor loosen
/// what is verified on it (challenges.md 9.7.7).
extension SessionState {
  /// The rule that an error names.
  private static let rule = "credentialSources"

  /// A caller names a source for an origin. From then on, decisions about chains do not count for the origin in this
  /// session, and the connections that may rest on one are not used again.
  ///
  /// - Returns: Why the source cannot be named; nil when it can.
  package mutating func nameSource(
    for space: ProtectionSpace, at moment: Moment
  ) -> (CredentialFault?, [Effect]) {
    let origin = space.origin
    let proxy = space.isProxy ? nil : proxies?.choice(for: origin)?.proxy
    guard !isOfCaller(origin, through: proxy, moment.policy) else { return (.callersWay, []) }
    let isNew = !board.sources.isGuarded(origin)
    guard board.sources.guardOrigin(origin) else { return (.sourceFailed, []) }
    if isNew, origin.isSecure { effects.append(.closeConnections(because: .somethingIsGone)) }
    return (nil, takeEffects())
  }

  /// The rule that keeps a request from its way; nil when it may go.
  func ruleAgainstWay(of hop: TaskStateMachine.HopRequest, _ policy: TrustPolicy) -> String? {
    guard board.sources.isGuardingOrigins else { return nil }
    let proxy = hop.proxy?.proxy
    if let proxy, board.sources.isGuarded(proxy.origin), isOfCaller(proxy.origin, through: nil, policy) {
      return Self.rule
    }
    let origin = hop.url.origin
    return board.sources.isGuarded(origin) && isOfCaller(origin, through: proxy, policy) ? Self.rule : nil
  }

  /// The rule that keeps a chain that failed verification from being accepted.
  func ruleAgainstLoosening(for origin: Origin) -> String? {
    board.sources.isGuarded(origin) ? Self.rule : nil
  }

  /// Whether a caller decides where a request to the origin ends. Keys that the administrator pins end that.
  private func isOfCaller(_ origin: Origin, through proxy: Proxy?, _ policy: TrustPolicy) -> Bool {
    if origin.isSecure { return configuration.tls.roots != nil && !policy.pinsKeys(of: origin.host) }
    guard let proxy else { return !configuration.addresses.resolve.isEmpty }
    return proxy != surroundings.proxies?.choice(for: origin)?.proxy
  }
}
