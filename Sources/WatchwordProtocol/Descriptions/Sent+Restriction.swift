package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// What restricted connections may fetch, and what they have made of it: in `session/describe` and `status`.
extension Sent.Restriction {
  /// - Parameters:
  ///   - connections: how many it restricts now.
  ///   - socket: the administrator's that it is of.
  package init(
    _ identifier: RestrictionIdentifier, _ restriction: Restriction, connections: Int, socket: String?,
    now: Double
  ) {
    self.init(
      restriction: identifier.description, rules: restriction.entries.map(\.sent), socket: socket,
      connections: connections, uses: restriction.uses, violations: restriction.violations,
      lastViolation: restriction.lastViolation.map { last in
        Sent.RestrictionLastViolation(
          time: Timestamp.text(last.time), reason: last.fault.reason.rawValue,
          origin: last.fault.origin?.description)
      }, secondsLeft: restriction.expires.map { max(0, $0 - now) })
  }
}

extension Restriction.CountedRule {
  fileprivate var sent: Sent.RuleStatus {
    Sent.RuleStatus(
      methods: rule.methods?.sorted(), origin: rule.origin.description, path: rule.path.description,
      headers: rule.addedFields.sorted(),
      requestBytes: rule.requestBytes.map { Int($0) }, responseBytes: rule.responseBytes.map { Int($0) },
      perMinute: rule.perMinute, uses: uses)
  }
}
