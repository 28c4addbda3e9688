internal import WatchwordVocabulary

/// Asks servers that refuse the second use of a Digest nonce without one (methods.md 8.8).
extension AuthenticationStateMachine {
  /// What a response that is no 401 or 407 says of the nonce's use; a step when the request is repeated without one that
  /// has served.
  mutating func repetitionWithoutReuse(
    _ head: ResponseHead, _ use: CredentialUse, _ cache: inout CredentialCache
  ) -> Step? {
    guard policy.digest.preemptive == .auto, head.status < 500, let sent, let ticket = sent.ticket else {
      return nil
    }
    let isRefusal = head.status == 400 || head.status == 403
    let finding = cache.nonceReuse.finding(of: sent.space)
    guard sent.isPreemptive, ticket.nonceCount > 1 else {
      if finding == .suspected, !sent.isPreemptive {
        cache.nonceReuse.note(isRefusal ? .accepted : .refused, of: sent.space)
      }
      return nil
    }
    guard isRefusal, finding != .accepted else {
      if finding == nil { cache.nonceReuse.note(.accepted, of: sent.space) }
      return nil
    }
    if finding == nil { cache.nonceReuse.note(.suspected, of: sent.space) }
    guard use.isRepeatable else { return nil }
    self.sent = nil
    releaseTurns(use, &cache)
    return Step(outcome: .retry)
  }
}
