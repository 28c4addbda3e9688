package import WatchwordVocabulary

/// The roots of the user: which sessions trust them, and where they do not count (challenges.md 10.14).
extension SessionState {
  /// Origins whose last root is remembered for `explain`; with one more, all are forgotten.
  static let maximumRootedOrigins = 256

  /// The roots of the user are other ones: no connection that is open or being made now is used by a later
  /// exchange.
  package mutating func replaceUserRoots(with roots: UserRoots) -> [SessionEffect] {
    guard configuration.tls.takesUserRoots, roots != userRoots else { return takeEffects() }
    userRoots = roots
    rootedOrigins = [:]
    effects.append(.useRoots(roots))
    effects.append(.closeConnections(because: .somethingIsGone))
    return takeEffects()
  }

  /// The root of the user that the last accepted chain from the origin ended in; nil when it was another one.
  package func userRoot(of origin: Origin) -> Certificate? {
    guard let root = rootedOrigins[origin] else { return nil }
    return userRoots.all.first { $0.sha256 == root }
  }

  /// Remembers what a chain without faults ends in.
  mutating func note(_ root: Certificate?, endOfChainFrom origin: Origin) {
    guard root != nil || !rootedOrigins.isEmpty else { return }
    if rootedOrigins.count >= SessionState.maximumRootedOrigins, rootedOrigins[origin] == nil {
      rootedOrigins = [:]
    }
    rootedOrigins[origin] = root?.sha256
  }

  /// The fault of a chain that ends in a root of the user where these do not count; nil when they do.
  func fault(ofRootOf presented: PresentedChain, from origin: Origin) -> TrustFault? {
    let isFixed =
      moment.policy.ruleAgainstLoosening(for: origin.host) != nil || ruleAgainstLoosening(for: origin) != nil
    guard isFixed, !moment.policy.pinsKeys(of: origin.host) else { return nil }
    // The certificate below the root has the issuer that is not known.
    return TrustFault(reason: .unknownIssuer, depth: max(0, presented.verifiedPublicKeys.count - 2))
  }

  /// Whether roots of the user verify the proxy that a request over http goes through.
  func isVerifiedByUserRoots(_ proxy: Proxy?, for origin: Origin) -> Bool {
    guard !origin.isSecure, let proxy, proxy.origin.isSecure, !userRoots.isEmpty else { return false }
    return !moment.policy.pinsKeys(of: proxy.origin.host)
  }
}
