/// The disposition of a challenge: URLSession's four, for every method.
package enum Disposition: String, Sendable, CaseIterable {
  case useCredential
  case performDefaultHandling
  case cancelAuthenticationChallenge
  case rejectProtectionSpace
}

/// What a challenge means that was not answered in time (configuration `challenges.unanswered`).
package enum UnansweredMeaning: String, Sendable, CaseIterable {
  case cancel
  case performDefaultHandling
  case deliver
}
