/// How a first exchange would authenticate, without sending it: what `explain` reports.
extension AuthenticationStateMachine {
  package enum Expectation: Sendable, Equatable {
    /// By the caller's own `Authorization` field.
    case callersField
    /// By this credential, which would be sent unasked.
    case unasked(CredentialCache.Key)
    /// Not at all, and this credential would answer a challenge.
    case whenAsked(CredentialCache.Key)
    case nothing
  }

  package func expectation(
    for use: CredentialUse, hasCallerAuthorization: Bool, cache: inout CredentialCache
  ) -> Expectation {
    guard !hasCallerAuthorization else { return .callersField }
    if let key = unasked(use, &cache) { return .unasked(key) }
    // A URL with user and password answers for itself.
    guard named(use)?.password == nil else { return .nothing }
    return cache.firstCandidate(for: use) { suits($0, use) }.map { .whenAsked($0) } ?? .nothing
  }
}
