internal import WatchwordVocabulary

/// How a first exchange would authenticate, without sending it: what `explain` reports.
extension AuthenticationStateMachine {
  package enum Expectation: Sendable, Equatable {
    /// With the caller's own `Authorization` field.
    case callersField
    /// With this credential, the session's or one of the account's permanent ones, sent preemptively.
    case unasked(CredentialKey, from: ProposedCredential.Source = .session)
    /// Without a credential; this one would answer a challenge.
    case whenAsked(CredentialKey, from: ProposedCredential.Source = .session)
    /// Without a credential; the tickets of the daemon's account would answer a challenge.
    case ambient
    /// Without a credential; one of netrc, of this user, would answer a challenge.
    case netrc(user: String)
    case nothing
  }

  func expectation(for use: CredentialUse, hasCallerAuthorization: Bool, _ memory: SessionMemory)
    -> Expectation
  {
    guard !hasCallerAuthorization else { return .callersField }
    if let key = unasked(use, memory) {
      return .unasked(key, from: memory.source(of: key))
    }
    // A URL with user and password uses these.
    guard named(use)?.password == nil || use.proxyType != nil else { return .nothing }
    if let key = memory.firstCandidate(for: use, where: { suits($0, use) }) {
      return .whenAsked(key, from: memory.source(of: key))
    }
    if let key = records(for: use, memory).usable {
      return .whenAsked(key, from: memory.permanent.entry(key).map { .init(ofRecord: $0) } ?? .permanent)
    }
    let isAmbient =
      use.proxyType?.isSOCKS != true && named(use) == nil && !policy.disabled.contains(.negotiate)
      && settings.ambientOrigins.contains(use.url.origin)
    if isAmbient { return .ambient }
    guard use.proxyType == nil, memory.countsNetrc(for: use) else { return .nothing }
    return memory.netrc.user(for: use.url.origin, named: named(use)?.user).map { .netrc(user: $0) }
      ?? .nothing
  }

  /// The account's record that would answer, and the one that only the callers' ways keep from it (storage.md
  /// 9.6.12).
  func records(for use: CredentialUse, _ memory: SessionMemory) -> (
    usable: CredentialKey?, passedOver: CredentialKey?
  ) {
    memory.permanentCandidates(for: use, user: named(use)?.user) {
      policy.mayAnswer($0) && policy.allowsStored($0, over: use.url.origin)
    }
  }
}

extension SessionMemory {
  /// Where the credential that a session has at this key comes from.
  func source(of key: CredentialKey) -> ProposedCredential.Source {
    guard isCopy(key), let entry = entry(key) else { return .session }
    return ProposedCredential.Source(ofRecord: entry)
  }
}
