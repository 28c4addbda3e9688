internal import WatchwordVocabulary

/// How a first exchange would authenticate, without sending it: what `explain` reports.
extension AuthenticationStateMachine {
  package enum Expectation: Sendable, Equatable {
    /// With the caller's own `Authorization` field.
    case callersField
    /// With this credential, sent preemptively.
    case unasked(CredentialCache.Key)
    /// Without a credential; this one would answer a challenge.
    case whenAsked(CredentialCache.Key)
    case nothing
  }

  package func expectation(
    for use: CredentialUse, hasCallerAuthorization: Bool, cache: inout CredentialCache
  ) -> Expectation {
    guard !hasCallerAuthorization else { return .callersField }
    if let key = unasked(use, &cache) { return .unasked(key) }
    // A URL with user and password uses these.
    guard named(use)?.password == nil || use.proxyType != nil else { return .nothing }
    return cache.firstCandidate(for: use) { suits($0, use) }.map { .whenAsked($0) } ?? .nothing
  }
}
