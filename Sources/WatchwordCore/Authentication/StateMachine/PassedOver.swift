internal import WatchwordVocabulary

/// A kept credential that would answer a challenge and does not count for a request: what `explain` reports.
package struct PassedOver: Sendable, Equatable {
  package enum Reason: String, Sendable {
    /// Callers have chosen the way to the server, and it was not given over this way (challenges.md 9.6.12).
    case callersWay
    /// Its limits do not allow the URL or the method.
    case limits
  }

  package let key: CredentialCache.Key
  package let source: ProposedCredential.Source
  package let reason: Reason
}

extension AuthenticationStateMachine {
  /// - Parameter expectation: of the same request; where another credential answers, limits are no reason to look at.
  package func passedOver(
    for use: CredentialUse, _ expectation: Expectation, cache: inout CredentialCache
  ) -> PassedOver? {
    guard named(use)?.password == nil || use.proxyType != nil else { return nil }
    if let key = records(for: use, &cache).passedOver {
      let source = cache.permanent.entry(key).map { ProposedCredential.Source(ofRecord: $0) }
      return PassedOver(key: key, source: source ?? .permanent, reason: .callersWay)
    }
    guard expectation == .nothing else { return nil }
    return cache.outsideLimits(for: use, user: named(use)?.user) { !policy.disabled.contains($0) }
      .map { PassedOver(key: $0.key, source: $0.source, reason: .limits) }
  }
}

extension CredentialCache {
  /// The first credential of this hop, the session's own before the account's, whose limits do not allow this use.
  fileprivate func outsideLimits(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> (key: Key, source: ProposedCredential.Source)? {
    if let key = table.firstOutsideLimits(for: use, user: user, where: isUsable) {
      return (key, source(of: key))
    }
    let record = permanent.firstOutsideLimits(for: use, user: user, where: isUsable)
    return record.map { ($0.key, ProposedCredential.Source(ofRecord: $0)) }
  }
}
