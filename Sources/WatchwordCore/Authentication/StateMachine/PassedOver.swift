internal import WatchwordVocabulary

/// A credential that would answer a challenge and does not count for a request: what `explain` reports.
package struct PassedOver: Sendable, Equatable {
  package let key: CredentialKey
  package let source: ProposedCredential.Source
  package let reason: Reason
}

extension AuthenticationStateMachine {
  /// - Parameter expectation: of the same request; where another credential answers, limits are no reason to
  ///   look at.
  func passedOver(for use: CredentialUse, _ expectation: Expectation, _ memory: SessionMemory)
    -> PassedOver?
  {
    if let userinfo = named(use)?.credential?.kind,
      let space = memory.refusedUserinfo.space(of: userinfo, at: use.url.origin)
    {
      return PassedOver(key: CredentialKey(space: space, user: userinfo.user), source: .url, reason: .refused)
    }
    guard named(use)?.password == nil || use.proxyType != nil else { return nil }
    if let key = records(for: use, memory).passedOver {
      let source = memory.permanent.entry(key).map { ProposedCredential.Source(ofRecord: $0) }
      return PassedOver(key: key, source: source ?? .permanent, reason: .callersWay)
    }
    if let key = refusedNetrc(use, expectation, memory) {
      return PassedOver(key: key, source: .netrc, reason: .refused)
    }
    guard expectation == .nothing else { return nil }
    let user = named(use)?.user
    if let key = memory.onAnotherWay(for: use, user: user, where: { policy.mayAnswer($0) }) {
      return PassedOver(key: key, source: memory.source(of: key), reason: .callersWay)
    }
    return memory.outsideLimits(for: use, user: user) { policy.mayAnswer($0) }
      .map { PassedOver(key: $0.key, source: $0.source, reason: .limits) }
  }

  /// The entry of netrc that would answer if the server had not refused it.
  private func refusedNetrc(_ use: CredentialUse, _ expectation: Expectation, _ memory: SessionMemory)
    -> CredentialKey?
  {
    guard use.proxyType == nil else { return nil }
    switch expectation {
    case .netrc, .nothing: return memory.netrc.refused(at: use.url.origin, named: named(use)?.user)
    case .callersField, .unasked, .whenAsked, .ambient: return nil
    }
  }
}

extension SessionMemory {
  /// The first key in a field of its own that only the callers' ways keep from this use.
  func keyPassedOver(for use: CredentialUse, _ policy: MethodPolicy) -> PassedOver? {
    guard policy.allowsFirst(over: use.url.origin) else { return nil }
    if let key = onAnotherWay(for: use, user: nil, where: { $0 == .key }) {
      return PassedOver(key: key, source: .session, reason: .callersWay)
    }
    guard let key = permanentCandidates(for: use, user: nil, where: { $0 == .key }).passedOver,
      let entry = permanent.entry(key)
    else { return nil }
    return PassedOver(key: key, source: ProposedCredential.Source(ofRecord: entry), reason: .callersWay)
  }

  /// The first credential of this hop, the session's own before the account's, whose limits do not allow this
  /// use.
  fileprivate func outsideLimits(
    for use: CredentialUse, user: String?, where isUsable: (AuthenticationMethod) -> Bool
  ) -> (key: CredentialKey, source: ProposedCredential.Source)? {
    if let key = table.firstOutsideLimits(for: use, user: user, where: isUsable) {
      return (key, source(of: key))
    }
    let record = permanent.firstOutsideLimits(for: use, user: user, where: isUsable)
    return record.map { ($0.key, ProposedCredential.Source(ofRecord: $0)) }
  }
}
