/// The disposition of a challenge: URLSession's four, for every method.
package enum Disposition: String, Sendable, CaseIterable {
  case useCredential
  case performDefaultHandling
  case cancelAuthenticationChallenge
  case rejectProtectionSpace
}
