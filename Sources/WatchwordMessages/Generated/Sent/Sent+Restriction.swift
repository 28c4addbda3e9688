package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What restricted connections of a session may fetch, and what they have made of it.
  package struct Restriction: SentObject {
    package let restriction: String
    package let rules: [Sent.RuleStatus]
    /// The path of the administrator's socket that it is of.
    package let socket: String?
    /// Those that it restricts now.
    package let connections: Int
    package let uses: Int
    package let violations: Int
    package let lastViolation: Sent.RestrictionLastViolation?
    package let secondsLeft: Double?

    package init(
      restriction: String, rules: [Sent.RuleStatus], socket: String?, connections: Int, uses: Int,
      violations: Int, lastViolation: Sent.RestrictionLastViolation?, secondsLeft: Double?
    ) {
      self.restriction = restriction
      self.rules = rules
      self.socket = socket
      self.connections = connections
      self.uses = uses
      self.violations = violations
      self.lastViolation = lastViolation
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("restriction", restriction)
      writer.member("rules", rules)
      writer.member("socket", socket)
      writer.member("connections", connections)
      writer.member("uses", uses)
      writer.member("violations", violations)
      writer.member("lastViolation", lastViolation)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      restriction = try object.member("restriction")
      rules = try object.member("rules")
      socket = try object.member("socket")
      connections = try object.member("connections")
      uses = try object.member("uses")
      violations = try object.member("violations")
      lastViolation = try object.member("lastViolation")
      secondsLeft = try object.member("secondsLeft")
    }
  }
}
